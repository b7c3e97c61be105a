/**
 * Lines to a reader that may be slow. Nothing is dropped: what the reader has not taken waits here, up to a limit, so
 * that the loop is never slowed (contract: Subscriptions, stdio waits for its reader).
 */
import type { Writable } from 'node:stream';

export const MAX_WAITING_BYTES = 64 * 1024 * 1024;

export class LineWriter {
  readonly #out: Writable;
  readonly #limit: number;
  #lines: string[] = [];
  #waiting = 0;
  #scheduled = false;
  #lost = false;
  /** Called once, when more waits than the limit allows. */
  onLoss: () => void = () => undefined;

  constructor(out: Writable, limit = MAX_WAITING_BYTES) {
    this.#out = out;
    this.#limit = limit;
  }

  line(text: string): void {
    if (this.#lost) return;
    this.#lines.push(text);
    this.#waiting += Buffer.byteLength(text) + 1;
    if (this.#waiting + this.#out.writableLength > this.#limit) {
      this.#lost = true;
      this.onLoss();
      return;
    }
    if (this.#scheduled) return;
    this.#scheduled = true;
    // one write for all that comes within one turn of the event loop
    setImmediate(() => this.#flush());
  }

  /** The last line of a reader that was lost: it stands behind all that it has not read. */
  last(text: string): void {
    this.#flush();
    this.#out.write(`${text}\n`);
  }

  /** Resolves when everything was handed to the reader, or the reader is gone. */
  drained(): Promise<void> {
    this.#flush();
    return new Promise((resolve) => {
      if (this.#out.destroyed || this.#out.writableLength === 0) return resolve();
      this.#out.once('close', resolve);
      this.#out.write('', () => resolve());
    });
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#lines.length === 0) return;
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    this.#waiting = 0;
    if (!this.#out.destroyed) this.#out.write(text);
  }
}
