/** Addresses that are not of the public internet: this machine, its networks, and what leads back to them; pure. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

const V4 = [
  '0.0.0.0/8', // this host
  '10.0.0.0/8',
  '100.64.0.0/10', // carriers' own
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, with the metadata services of clouds
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3', // multicast and reserved
];
/** All of these hold an IPv4 address, or lead to a network of one's own. Public addresses lie in 2000::/3. */
const V6_WITHIN_PUBLIC = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const blocked4 = blockList(V4, 'ipv4');
const blocked6 = blockList(V6_WITHIN_PUBLIC, 'ipv6');
const public6 = blockList(['2000::/3'], 'ipv6');

function blockList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network, bits] = range.split('/') as [string, string];
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** What is no address at all counts as private. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIPv4(plain)) return blocked4.check(plain, 'ipv4');
  if (!isIPv6(plain)) return true;
  return !public6.check(plain, 'ipv6') || blocked6.check(plain, 'ipv6');
}
