/** How wide Ink takes text to be: as the view does, so that one text has one width. The build puts it in Ink's place. */
import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../view/width.ts';

export default function inkWidth(text: string): number {
  return displayWidth(text.includes('\x1b') ? stripVTControlCharacters(text) : text);
}
