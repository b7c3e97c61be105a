/** Settings under which secrets stand: what is written for them goes into the config and nowhere else. Pure. */

/** What is typed for it is not shown. */
export const isSecretName = (key: string): boolean =>
  /apikey|headers|^mcpservers|^providers\.[^.]*$|^providers$/i.test(key);

const STORES = /^(\/config\s+(?:set\s+)?)(\S+)\s+\S/;
const USERINFO = /:\/\/[^\s/]*@/;

/** A draft as it may be kept on disk: where it sets a secret, without the secret. */
export function withoutSecret(text: string): string {
  const [, before = '', key] = STORES.exec(text) ?? [];
  return key !== undefined && (isSecretName(key) || USERINFO.test(text)) ? `${before}${key}` : text;
}
