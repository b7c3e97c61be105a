/** The output of a command as a text: cut visibly, binary output said and not printed. */
import { byteText, firstBytes, wholeEnd, wholeStart } from './byte-text.ts';
import type { CapturedOutput } from './output-collector.ts';

/** Empty where nothing was printed. */
export function outputText(output: CapturedOutput): string {
  const cut = output.droppedBytes > 0;
  const head = cut ? wholeEnd(output.head) : output.head;
  const tail = cut ? wholeStart(output.tail) : output.tail;
  const shown = byteText(Buffer.concat([head, tail]));
  if (shown.binary) {
    return `[binary output, ${output.totalBytes} bytes, not shown; it begins with ${firstBytes(output.head)}${fileNote(output)}]`;
  }
  const notes = shown.broken > 0 ? `\n[${shown.broken} sequences in it were not valid UTF-8 and stand as \uFFFD]` : '';
  if (!cut) return shown.text + notes;
  const dropped = output.totalBytes - head.length - tail.length;
  // three dots: one sign beyond Latin-1 would double the memory of the whole text, which the history keeps
  return `${byteText(head).text}\n[... ${dropped} of ${output.totalBytes} bytes left out here${fileNote(output)} ...]\n${byteText(tail).text}${notes}`;
}

function fileNote({ file, totalBytes }: CapturedOutput): string {
  if (!file) return '';
  return file.bytes < totalBytes
    ? `; the first ${file.bytes} bytes are in ${file.path}`
    : `; all of it is in ${file.path}`;
}
