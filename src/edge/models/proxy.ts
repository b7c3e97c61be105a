/** Which proxy the environment names for an address. Pure. */

type Environment = Readonly<Record<string, string | undefined>>;

const PROXY_VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

const read = (env: Environment, name: string): string => (env[name.toLowerCase()] || env[name] || '').trim();

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || host === '0.0.0.0' || /^127\./.test(host);

/** `host`, `.suffix`, `*.suffix`, `*`, each also with `:port`; a name covers its subdomains. */
function isExempt(url: URL, list: string): boolean {
  const host = bare(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '') return false;
      if (entry === '*') return true;
      const [, name = '', only] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (only !== undefined && only !== port) return false;
      const suffix = bare(name).replace(/^\*?\./, '');
      return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
    });
}

const bare = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

/** The proxy variables that are set, by name. */
export const proxyVariables = (env: Environment): string[] => PROXY_VARIABLES.filter((name) => read(env, name) !== '');

/**
 * The proxy for `url`; undefined where it is reached directly: no variable, NO_PROXY, this machine. What is no URL of a
 * proxy that can be used is answered as text.
 */
export function proxyFor(url: URL, env: Environment): URL | string | undefined {
  const value = read(env, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || read(env, 'ALL_PROXY');
  if (value === '' || isLoopback(bare(url.hostname)) || isExempt(url, read(env, 'NO_PROXY'))) return undefined;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(text)) return 'it is no URL';
  const proxy = new URL(text);
  return proxy.protocol === 'http:' || proxy.protocol === 'https:'
    ? proxy
    : `proxies of the kind ${proxy.protocol.replace(':', '')} are not supported, only http and https`;
}
