/** A file system with faults: each operation asks `fault` first. */
import { type FileLayer, type JournalFile, realFiles } from '../../../src/edge/journal/file-layer.ts';

export type Operation = 'write' | 'datasync' | 'truncate' | 'stat' | 'syncFolder' | 'open';
export type Fault = { code: string } | { short: number } | undefined;
export class FaultyFiles implements FileLayer {
  /** What happens to the nth (from 1) call of an operation. */
  fault: (operation: Operation, nth: number) => Fault = () => undefined;
  readonly calls: Operation[] = [];

  #ask(operation: Operation): Fault {
    this.calls.push(operation);
    const fault = this.fault(operation, this.calls.filter((each) => each === operation).length);
    if (fault && 'code' in fault) throw Object.assign(new Error(`${fault.code}: injected`), { code: fault.code });
    return fault;
  }

  async openForAppend(path: string, create: boolean): Promise<JournalFile> {
    this.#ask('open');
    const file = await realFiles.openForAppend(path, create);
    return {
      write: async (bytes) => {
        const calls = this.calls.length;
        try {
          const fault = this.#ask('write');
          return await file.write(fault && 'short' in fault ? bytes.subarray(0, fault.short) : bytes);
        } catch (error) {
          // what failed may have left part of itself
          if (this.calls.length > calls) await file.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
          throw error;
        }
      },
      datasync: async () => {
        this.#ask('datasync');
        await file.datasync();
      },
      truncate: async (size) => {
        this.#ask('truncate');
        await file.truncate(size);
      },
      stat: async () => {
        this.#ask('stat');
        return file.stat();
      },
      close: () => file.close(),
    };
  }

  async syncFolder(path: string): Promise<void> {
    this.#ask('syncFolder');
    await realFiles.syncFolder(path);
  }
}
