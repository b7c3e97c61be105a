import {
  type ComposerAction,
  type ComposerState,
  editComposer,
  emptyComposer,
  type PlainEdit,
} from '../../src/view/composer.ts';

/** A step of a test: an edit by name, or text that is typed. */
export type Step = ComposerAction | PlainEdit | { readonly typed: string };

export const typing = (text: string): Step => ({ typed: text });

export function edited(...steps: readonly Step[]): ComposerState {
  return from(emptyComposer, ...steps);
}

export function from(state: ComposerState, ...steps: readonly Step[]): ComposerState {
  return steps.reduce<ComposerState>((now, step) => {
    if (typeof step === 'string') return editComposer(now, { type: step });
    if ('type' in step) return editComposer(now, step);
    return [...step.typed].reduce(
      (state, text) => editComposer(state, text === '\n' ? { type: 'newline' } : { type: 'insert', text }),
      now,
    );
  }, state);
}

/** A state with this text, and the cursor where `|` stands. */
export function at(marked: string): ComposerState {
  const [head = '', tail = ''] = marked.split('|');
  const lines = head.split('\n');
  const cursor = { line: lines.length - 1, offset: lines.at(-1)?.length ?? 0 };
  return { ...emptyComposer, lines: (head + tail).split('\n'), cursor };
}

/** The text with `|` at the cursor; a paste as `<label number>`. */
export function show(state: ComposerState): string {
  const { line, offset } = state.cursor;
  return state.lines
    .map((text, index) => (index === line ? `${text.slice(0, offset)}|${text.slice(offset)}` : text))
    .join('\n')
    .replace(
      /[\ufdd0-\ufddf][\ufde0-\ufdef]/g,
      (unit) => `<${(unit.charCodeAt(0) - 0xfdd0) * 16 + unit.charCodeAt(1) - 0xfde0}>`,
    );
}
