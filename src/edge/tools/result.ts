/** How tools answer. */
import type { ToolResult } from '../../domain/tool.ts';
import { wellFormed } from './file-text.ts';

/** What a model is given of one result, in characters. */
export const MAX_TEXT = 30_000;

export const said = (text: string, preview?: string): ToolResult => ({
  content: [{ type: 'text', text: wellFormed(text) }],
  ...(preview === undefined ? {} : { preview: wellFormed(preview) }),
});
export const refused = (text: string): ToolResult => ({ ...said(text), isError: true });

/** A name on one line, also where it holds line ends or other control characters. */
export const oneLine = (name: string): string =>
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;

/** "2 s", "0.5 s". */
export const seconds = (ms: number): string => `${ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000)} s`;
