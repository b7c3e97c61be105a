/** Colours for code in the chat: the grammars and what of them is drawn in which colour. Loaded after the first picture. */
import { markUp } from '../edge/highlight/highlight-js.ts';
import { highlighterOf } from '../view/highlight.ts';

export const highlight = highlighterOf(markUp);
