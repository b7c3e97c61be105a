/** What reading a long answer costs, held against a reader that does nothing else with the same bytes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createOpenAiModel } from '../../src/edge/models/openai.ts';
import { systemClock } from '../../src/edge/system-clock.ts';
import { request } from '../edge/models/assembled.ts';

const CHUNKS = 20_000;
const ROUNDS = 7;

async function startServer(): Promise<string> {
  const script = fileURLToPath(new URL('stream-server.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, String(CHUNKS)], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return line.toString().trim();
}

/** fetch, split into lines, JSON.parse. */
async function readBare(url: string): Promise<number> {
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body: '{}' });
  const decoder = new TextDecoder();
  let rest = '';
  let length = 0;
  for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      length += JSON.parse(line.slice(6)).choices[0].delta.content?.length ?? 0;
    }
  }
  return length;
}

async function readByModel(url: string): Promise<number> {
  const model = createOpenAiModel({ baseUrl: url, clock: systemClock, random: () => 0.5 });
  let length = 0;
  for await (const event of model.stream(request(), new AbortController().signal))
    if (event.type === 'chunk' && event.chunk.type === 'text') length += event.chunk.text.length;
  return length;
}

/** CPU in ms. */
async function costOf(read: (url: string) => Promise<number>, url: string): Promise<{ ms: number; length: number }> {
  const before = process.cpuUsage();
  const length = await read(url);
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, length };
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

test('20,000 chunks cost at most twice the CPU of a bare reader of the same bytes', { timeout: 120_000 }, async () => {
  const url = await startServer();
  const bare: number[] = [];
  const ours: number[] = [];
  // the first rounds warm both up; each pair meets the same machine
  for (let round = -2; round < ROUNDS; round += 1) {
    const one = await costOf(readBare, url);
    const two = await costOf(readByModel, url);
    expect(two.length).toBe(one.length);
    if (round < 0) continue;
    bare.push(one.ms);
    ours.push(two.ms);
  }
  const ratio = median(ours.map((ms, i) => ms / (bare[i] ?? Number.NaN)));
  expect(ratio).toBeLessThanOrEqual(2);
});
