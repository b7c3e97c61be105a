/** How wide Ink takes text to be: as the view does, so that one text has one width. The build puts it in Ink's place. */
import { displayWidth } from '../view/width.ts';

/** What painting adds: colours, attributes, hyperlinks. */
const PAINT = /\x1b(?:\[[\d;]*m|\]8;[^\x07]*\x07)/g;

export default function inkWidth(text: string): number {
  return displayWidth(text.includes('\x1b') ? text.replace(PAINT, '') : text);
}
