/** A chat in a terminal with a model that answers: what bytes make of the draft is what the model is asked. */
import { type Asked, ModelServer } from './model-server.ts';
import { type OpenOptions, TerminalProgram } from './terminal.ts';

/** Milliseconds between what a terminal sends, where the gap is what is tested. */
export const gap = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Conversation {
  readonly server: ModelServer;
  readonly chat: TerminalProgram;
  #answered = 0;

  private constructor(server: ModelServer, chat: TerminalProgram) {
    this.server = server;
    this.chat = chat;
  }

  static async open(options: OpenOptions = {}): Promise<Conversation> {
    const server = await new ModelServer().start();
    const chat = new TerminalProgram({ ...options, env: { ...server.env, ...options.env } });
    await chat.shows('Type a message');
    return new Conversation(server, chat);
  }

  /** Enter, and what the model is asked; it has answered when this resolves. */
  async entered(): Promise<string> {
    this.chat.write('\r');
    return this.answered(await this.server.next());
  }

  /** Answers, waits for the end of the turn, and says what was asked. */
  async answered(asked: Asked): Promise<string> {
    this.#answered += 1;
    const answer = `answer-${this.#answered}`;
    asked.text(answer);
    asked.end();
    await this.chat.until(answer, ({ everything }) => everything.split(answer)[1]?.includes('done') === true);
    await this.chat.shows('Type a message');
    return said(asked);
  }

  /** What the model is asked when this was written, piece by piece, and Enter behind it. */
  async made(...pieces: (string | Buffer)[]): Promise<string> {
    for (const [i, piece] of pieces.entries()) {
      if (i > 0) await gap(12);
      this.chat.write(piece);
    }
    // the last piece is taken in before it is sent, as by a person
    await gap(40);
    return this.entered();
  }

  close(): void {
    this.chat.close();
    this.server.stop();
  }
}

/** The text of the last message. */
export function said(asked: Asked): string {
  const content = asked.messages.at(-1)?.content;
  return typeof content === 'string' ? content : JSON.stringify(content);
}
