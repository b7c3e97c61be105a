const END = Buffer.from('\x1b[201~');

/** Gathers what stands between the marks of a paste, in time that grows with its length and no faster. */
export class BracketedPaste {
  readonly #parts: Buffer[] = [];
  /** The beginning of an end mark, perhaps. */
  #tail: Buffer = Buffer.alloc(0);
  #ended = false;

  get ended(): boolean {
    return this.#ended;
  }

  /** Takes bytes from `at` on; answers with the offset behind what belongs to the paste. */
  read(bytes: Buffer, at: number): number {
    const held = this.#tail.length;
    const piece = held === 0 ? bytes.subarray(at) : Buffer.concat([this.#tail, bytes.subarray(at)]);
    const found = piece.indexOf(END);
    if (found >= 0) {
      this.#ended = true;
      this.#parts.push(piece.subarray(0, found));
      return at - held + found + END.length;
    }
    const kept = endBegun(piece);
    this.#parts.push(piece.subarray(0, piece.length - kept));
    this.#tail = Buffer.from(piece.subarray(piece.length - kept));
    return bytes.length;
  }

  /** The text so far: lines end in `\n`, tabs stay, every other control character is dropped, also those of escape sequences. */
  text(): string {
    const text = Buffer.concat(this.#parts).toString('utf8');
    return text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]+/g, '');
  }
}

/** How many bytes at the end of `piece` may begin an end mark. */
function endBegun(piece: Buffer): number {
  for (let length = Math.min(END.length - 1, piece.length); length > 0; length -= 1) {
    if (piece.subarray(piece.length - length).equals(END.subarray(0, length))) return length;
  }
  return 0;
}
