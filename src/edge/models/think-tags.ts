/** Thinking that a server leaves in the text as `<think>…</think>`: only where the text begins, cut anywhere. */

const TAGS = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
] as const;

export interface ThinkState {
  /** `start`: a tag may still come. `inside`: waiting for `close`. `text`: nothing is a tag any more. */
  readonly mode: 'start' | 'inside' | 'text';
  /** What came and may be a piece of a tag. */
  readonly held: string;
  readonly close: string;
  /** A block was closed before: the white space between it and the answer is dropped. */
  readonly after: boolean;
  /** Inside: something but white space was thought. */
  readonly spoke: boolean;
}
export interface Split {
  state: ThinkState;
  thinking: string;
  text: string;
}

export const THINK_START: ThinkState = { mode: 'start', held: '', close: '', after: false, spoke: false };

/** Length of the longest end of `text` that a tag could go on from. */
function tagTail(text: string, tag: string): number {
  for (let n = Math.min(text.length, tag.length - 1); n > 0; n--) if (tag.startsWith(text.slice(-n))) return n;
  return 0;
}

/** Takes the next piece of text apart. In one piece thinking always stands before text. */
export function splitThinking(before: ThinkState, piece: string): Split {
  let state = before;
  let rest = piece;
  let thinking = '';
  for (;;) {
    if (state.mode === 'text') return { state, thinking, text: rest };
    const whole = state.held + rest;
    if (state.mode === 'start') {
      const body = whole.trimStart();
      const tag = TAGS.find(([open]) => body.startsWith(open));
      if (tag) {
        state = { ...state, mode: 'inside', held: '', close: tag[1], spoke: false };
        rest = body.slice(tag[0].length);
      } else if (TAGS.some(([open]) => open.startsWith(body))) {
        return { state: { ...state, held: state.after ? body : whole }, thinking, text: '' };
      } else {
        const text = state.after ? body : whole;
        return { state: { ...state, mode: 'text', held: '' }, thinking, text };
      }
    } else {
      const at = whole.indexOf(state.close);
      const end = at < 0 ? whole.length - tagTail(whole, state.close) : at;
      const said = state.spoke ? whole.slice(0, end) : whole.slice(0, end).trimStart();
      thinking += said;
      if (at < 0)
        return { state: { ...state, held: whole.slice(end), spoke: state.spoke || said !== '' }, thinking, text: '' };
      state = { ...state, mode: 'start', held: '', after: true };
      rest = whole.slice(at + state.close.length);
    }
  }
}

/** What was held back, when no more text comes. A block that was never closed is thinking. */
export function flushThinking(state: ThinkState): Split {
  const done: ThinkState = { ...state, mode: 'text', held: '' };
  if (state.mode === 'inside') return { state: { ...state, held: '' }, thinking: state.held, text: '' };
  return { state: done, thinking: '', text: state.held };
}
