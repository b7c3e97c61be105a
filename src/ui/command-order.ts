/** Commands reach the session as they were given, also where files that one names have to be read first. */
import type { Command, UserInput } from '../domain/command.ts';
import type { AttachedBlocks } from '../view/attachment.ts';

export interface CommandPorts {
  attach(paths: readonly string[]): Promise<AttachedBlocks>;
  /** The input is whole, and is sent. */
  whole(input: UserInput): void;
  /** It is not sent, and why. */
  refused(input: UserInput, message: string): void;
  execute(command: Command): Promise<void>;
}

export class CommandOrder {
  readonly #ports: CommandPorts;
  /** Commands that wait for files to be read. */
  #reading = 0;
  #read: Promise<void> = Promise.resolve();

  constructor(ports: CommandPorts) {
    this.#ports = ports;
  }

  give(command: Command, attach: readonly string[]): void {
    const { execute } = this.#ports;
    if (attach.length === 0 && (this.#reading === 0 || command.type === 'Interrupt')) {
      void execute(command);
      return;
    }
    this.#reading += 1;
    this.#read = this.#read.then(async () => {
      const found = attach.length > 0 ? await this.#ports.attach(attach) : {};
      this.#reading -= 1;
      if (command.type !== 'UserInput' || attach.length === 0) return void execute(command);
      const { refusal, blocks = [] } = found;
      if (refusal !== undefined) return this.#ports.refused(command, refusal);
      const input = { ...command, blocks: [...command.blocks, ...blocks] };
      this.#ports.whole(input);
      void execute(input);
    });
  }
}
