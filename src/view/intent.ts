/** What the person meant, as values: the store carries them out. */
import type { Command } from '../domain/command.ts';
import type { CommandId } from '../domain/identity.ts';
import type { Attention } from './attention.ts';
import type { Errand } from './errand.ts';
import type { Approval } from './view-model.ts';

/** Leaves out what a sender fills in. */
export type Asked<C extends Command = Command> = C extends Command ? Omit<C, 'commandId' | 'agency'> : never;

export type Intent =
  /** `attach`: files that the input names; they are read before it is sent. */
  | { type: 'Command'; command: Command; attach?: readonly string[] }
  | { type: 'SetApproval'; mode: Approval }
  /** A text for the history of the composer. */
  | { type: 'Remember'; text: string }
  | { type: 'EditOutside'; text: string }
  | { type: 'Errand'; errand: Errand }
  /** To where the person looks now; nothing takes it back. */
  | { type: 'Call'; what: Attention | undefined }
  | { type: 'Suspend' }
  | { type: 'Redraw' }
  | { type: 'ClearScreen' }
  | { type: 'Quit' };

/** Ids for the commands of one action: derived from the one that came in with it. */
export class CommandIds {
  readonly #first: CommandId;
  #used = 0;
  constructor(first: CommandId) {
    this.#first = first;
  }
  next(): CommandId {
    this.#used += 1;
    return this.#used === 1 ? this.#first : `${this.#first}.${this.#used}`;
  }
}
