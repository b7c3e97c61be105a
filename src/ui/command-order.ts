/** Commands reach the session as they were given, also where files that one names have to be read first. */
import type { Command } from '../domain/command.ts';
import type { InputBlock } from '../domain/content.ts';

export interface CommandPorts {
  attach(paths: readonly string[]): Promise<InputBlock[]>;
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
      const blocks = attach.length > 0 ? await this.#ports.attach(attach) : [];
      this.#reading -= 1;
      void execute(command.type === 'UserInput' ? { ...command, blocks: [...command.blocks, ...blocks] } : command);
    });
  }
}
