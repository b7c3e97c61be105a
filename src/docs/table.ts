/** Markdown that the generated documents are made of. */

export const GENERATED =
  'Made by `npm run docs` from the tables that the program itself uses; a test fails when it is stale.';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

export const code = (text: string): string => (text === '' ? '' : `\`${text}\``);

/** Pieces with an empty line between. */
export const page = (...pieces: readonly string[]): string =>
  `${pieces.filter((piece) => piece !== '').join('\n\n')}\n`;
