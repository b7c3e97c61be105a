/** The comment that stands right above a declaration: what the generated documents say of events and commands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '..');

const declarationOf = (name: string, text: string) =>
  new RegExp(`^export (?:interface|type|class|const|(?:async )?function) ${name}\\b`, 'm').exec(text);

export const declares = (file: string, name: string): boolean =>
  declarationOf(name, readFileSync(join(SRC, file), 'utf8')) !== null;

/** Also where the file hands on what another one declares. `undefined`: the declaration has none. Throws where there is none. */
export function docstring(name: string, file: string): string | undefined {
  const text = readFileSync(join(SRC, file), 'utf8');
  const declared = declarationOf(name, text);
  if (!declared) {
    const source = new RegExp(`import (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`).exec(text)?.[1];
    if (!source) throw new Error(`${name} is declared neither in ${file} nor by what it imports`);
    return docstring(name, join(file, '..', source));
  }
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(text.slice(0, declared.index))?.[1];
  return comment
    ?.replaceAll(/\n \* ?/g, ' ')
    .replaceAll(/ \((?:contract: [^)]*|S)\)/g, '')
    .trim();
}
