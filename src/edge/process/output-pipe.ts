/**
 * A real pipe for a child's standard output and error. Node's own are sockets, which a program cannot open again as
 * /dev/stderr, and two of them lose the order of what was printed.
 */
import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface OutputPipe {
  /** For the child; call `handedOver` once it has it. */
  writeEnd: number;
  reader: Socket;
  handedOver(): void;
}

/** Rejects where the system lets nobody make a named pipe. */
export async function createOutputPipe(): Promise<OutputPipe> {
  const folder = await mkdtemp(join(tmpdir(), 'harness-pipe-'));
  try {
    const path = join(folder, 'output');
    await promisify(execFile)('mkfifo', ['-m', '600', path]);
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writeEnd = openSync(path, constants.O_WRONLY);
    const reader = new Socket({ fd: readEnd, readable: true, writable: false });
    return { writeEnd, reader, handedOver: () => closeSync(writeEnd) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
