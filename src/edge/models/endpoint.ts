/** A base URL as a person gives it, taken apart. */
import { ProviderError } from '../../domain/failure.ts';
import { masked } from './masking.ts';

export interface Endpoint {
  /** Scheme, host, port and path, without a slash at the end; no userinfo, no query. */
  url: URL;
  /** Query that goes along with every request, as some gateways want it. */
  query: Record<string, string>;
  /** `user:password` of the URL. */
  userinfo?: string;
}

/** Throws a ProviderError where the text is no http(s) URL. */
export function parseEndpoint(baseUrl: string): Endpoint {
  const text = baseUrl.trim();
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    const shown = JSON.stringify(masked(text, []).slice(0, 80));
    throw new ProviderError(
      'provider_not_found',
      `The base URL ${shown} is no http:// or https:// address. Set another (--base-url).`,
    );
  }
  const url = new URL(text);
  const userinfo = url.username || url.password ? `${decoded(url.username)}:${decoded(url.password)}` : undefined;
  const query = Object.fromEntries(url.searchParams);
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  // a person may have pasted the whole route
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  return { url, query, ...(userinfo === undefined ? {} : { userinfo }) };
}

/** A part of userinfo; as it stands where it is not encoded as it should be, such as `50%off`. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address as the start of a longer one. */
export const baseOf = ({ url }: Endpoint): string => url.href.replace(/\/+$/, '');

/** The headers of a request: the key where there is one, else userinfo, else no Authorization at all. */
export function authorization(endpoint: Endpoint, apiKey: string | undefined): Record<string, string> {
  if (apiKey) return { authorization: `Bearer ${apiKey}` };
  return endpoint.userinfo === undefined
    ? {}
    : { authorization: `Basic ${Buffer.from(endpoint.userinfo).toString('base64')}` };
}
