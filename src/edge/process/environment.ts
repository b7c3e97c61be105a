/** What a child process may know: the ordinary variables, never a secret (contract: Processes of issue 4). */

const SECRET_NAME =
  /(^|_)(API_?KEY|ACCESS_KEY(_ID)?|SECRET_KEY|PRIVATE_KEY|AUTH_KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;
const OWN_NAME = /^HARNESS_CHAT_/i;
/** A value this short would also be found in ordinary variables. */
export const SHORTEST_SECRET = 8;

export interface Secrets {
  /** Names of variables that hold a key, beside those that look like one. */
  variables?: readonly string[];
  /** Values that must not be seen, under whatever name. */
  values?: readonly string[];
}

/**
 * A copy of `env` without secrets: by name (`*_API_KEY`, `*_TOKEN` and the like, `HARNESS_CHAT_*`, those listed) and by
 * value. Nothing that a child starts may ask on a terminal: it has none.
 */
export function childEnvironment(env: NodeJS.ProcessEnv, secrets: Secrets = {}): NodeJS.ProcessEnv {
  const names = new Set((secrets.variables ?? []).map((name) => name.toUpperCase()));
  const values = (secrets.values ?? []).filter((value) => value.length >= SHORTEST_SECRET);
  const kept: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || OWN_NAME.test(name) || SECRET_NAME.test(name) || names.has(name.toUpperCase())) continue;
    if (values.some((secret) => value.includes(secret))) continue;
    kept[name] = value;
  }
  return { ...kept, GIT_TERMINAL_PROMPT: '0' };
}
