/** What the journal costs: appends, and the time it adds until something is seen. All of one run, side by side. */
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileJournal, openFileJournal } from '../../src/edge/journal/file-journal.ts';
import { openMemoryJournal } from '../../src/edge/journal/memory-journal.ts';
import { createScriptedModel, text } from '../../src/edge/models/scripted.ts';
import { createSession } from '../../src/library/session.ts';
import type { Journal, JournalRecord, Model } from '../../src/runtime/ports.ts';

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

const input = (seq: number): JournalRecord => ({
  seq,
  command: {
    type: 'UserInput',
    commandId: `c${seq}`,
    agency: 'user',
    loopId: 'loop',
    blocks: [{ type: 'text', text: 'some words of an input' }],
  },
});

/** Records a second, `burst` of them an append. */
async function appendRate(journal: FileJournal, from: number, appends: number, burst: number): Promise<number> {
  const began = performance.now();
  let seq = from;
  for (let n = 0; n < appends; n += 1) await journal.append(Array.from({ length: burst }, () => input(++seq)));
  return (appends * burst * 1000) / (performance.now() - began);
}

export interface AppendRates {
  /** Writes with fdatasync a second, without a journal: what the disk can do. */
  disk: number;
  single: number;
  burst: number;
}

export async function appendRates(folder: string, appends = 300, burst = 64): Promise<AppendRates> {
  const bare = await open(join(folder, 'bare'), 'ax');
  const bytes = Buffer.alloc(160, 'x');
  const began = performance.now();
  for (let n = 0; n < appends; n += 1) {
    await bare.write(bytes);
    await bare.datasync();
  }
  const disk = (appends * 1000) / (performance.now() - began);
  await bare.close();
  const journal = await openFileJournal({ path: join(folder, 'appends.jsonl'), create: true });
  const single = await appendRate(journal, 0, appends, 1);
  const burstRate = await appendRate(journal, appends, Math.ceil(appends / 4), burst);
  await journal.close();
  return { disk, single, burst: burstRate };
}

export interface Delays {
  /** Milliseconds from the command to its TurnStarted. */
  turnStarted: number;
  /** Milliseconds from the model's chunk to its TokenDelta, while inputs are being appended. */
  tokenDelta: number;
}

/** Medians over so many Turns. */
async function delays(journal: Journal, cwd: string, turns: number): Promise<Delays> {
  const sent: number[] = [];
  const model: Model = {
    async *stream() {
      for (let n = 0; n < 20; n += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        sent.push(performance.now());
        yield { type: 'chunk', chunk: { type: 'text', text: 'word ' } };
      }
      yield { type: 'end', finish: 'stop' };
    },
  };
  const session = await createSession({ model, journal, cwd, inboxLimit: 10_000 });
  const subscription = session.subscribeEvents({ enduring: 'all', ephemeral: 'all' });
  const started: number[] = [];
  const seen: number[] = [];
  const asked = new Map<string, number>();
  let mine = '';
  const next = (): void => {
    const commandId = randomUUID();
    asked.set(commandId, performance.now());
    void session.submit([{ type: 'text', text: 'go' }], { commandId });
  };
  next();
  for await (const { event } of subscription) {
    if (event.type === 'TurnStarted') {
      const at = asked.get(event.cause.commandId);
      if (at === undefined) continue;
      started.push(performance.now() - at);
      mine = event.turnId;
    }
    if (event.type === 'TokenDelta') {
      seen.push(performance.now() - (sent[seen.length] as number));
      // the journal is kept busy while the answer streams
      if (event.turnId === mine) void session.submit([{ type: 'text', text: 'queued' }]);
      mine = '';
    }
    if (event.type !== 'SessionIdle') continue;
    if (started.length === turns) break;
    next();
  }
  await session.shutdown();
  return { turnStarted: median(started), tokenDelta: median(seen) };
}

/** With a journal in a file and with one in memory. */
export async function addedDelays(folder: string, turns = 100): Promise<{ file: Delays; memory: Delays }> {
  await delays(openMemoryJournal(), folder, 20);
  const memory = await delays(openMemoryJournal(), folder, turns);
  const journal = await openFileJournal({ path: join(folder, 'delays.jsonl'), create: true });
  return { file: await delays(journal, folder, turns), memory };
}

/** Appends that a burst of inputs to a busy session costs. */
export async function appendsOfBurst(folder: string, inputs = 60): Promise<number> {
  const journal = await openFileJournal({ path: join(folder, 'burst.jsonl'), create: true });
  let appends = 0;
  const counting: Journal = {
    append: (records) => {
      appends += 1;
      return journal.append(records);
    },
    read: (options) => journal.read(options),
    close: () => journal.close(),
  };
  const session = await createSession({
    model: createScriptedModel([], [text('fine')]),
    journal: counting,
    cwd: folder,
  });
  const before = appends;
  await Promise.all(
    Array.from({ length: inputs }, () => session.submit([{ type: 'text', text: 'at once' }], { noFold: true })),
  );
  const cost = appends - before;
  await session.shutdown();
  return cost;
}
