/** What is said of a choice of model that cannot be used, or that may surprise: each one line. */
import type { Endpoint } from './endpoint.ts';
import { keyVariable, type Named, providerNames } from './named-provider.ts';
import { oneLine, quoteValue } from './one-line.ts';
import type { ProviderEntry } from './schema.ts';
import { type Candidate, type Sources, setText } from './sources.ts';
import { wrongValue } from './wording.ts';

export function unknownProvider(named: Named, providers: Record<string, ProviderEntry>): string {
  return wrongValue('provider', named.origin, named.given, oneLine(providerNames(providers).join(', ')));
}

export function noKey(endpoint: Endpoint, named: Named): string {
  return `no key is set for ${endpoint.url}: set ${keyVariable(named)}, or name another server with --base-url`;
}

export function keylessDotenv(endpoint: Endpoint): string {
  return (
    `${oneLine(endpoint.origin.name)} sets the base URL ${quoteValue(endpoint.url)} but .env has no key of its own, ` +
    'and yours is not sent there: give --base-url to use a server of your choice'
  );
}

export function noModel(endpoint: Endpoint): string {
  return (
    `no model is set for ${oneLine(endpoint.url)}: choose one with --model NAME, OPENAI_MODEL, ` +
    'or "harness-chat config set model NAME"'
  );
}

export function warningsOf(sources: Sources, named: Named, endpoint: Endpoint, key: Candidate | undefined): string[] {
  const warnings: string[] = [];
  const url = oneLine(endpoint.url);
  if (endpoint.owner === 'workspace') warnings.push(`the base URL is that of the workspace's .env: ${url}`);
  const dotenvKey =
    setText(sources.dotenv?.values.HARNESS_CHAT_API_KEY) ?? setText(sources.dotenv?.values.OPENAI_API_KEY);
  if (dotenvKey && !key && endpoint.owner === 'user')
    warnings.push(`the key in .env is not sent to ${url}: the address is not .env's`);
  const variable = named.entry?.apiKeyEnv;
  if (variable && !key) warnings.push(`${variable} is not set: provider ${oneLine(named.name)} is used without a key`);
  return warnings;
}
