/** A journal that takes nothing more: what is said, what is answered, and what a restart finds. */
import { describe, expect } from 'vitest';
import { blackBox, line, type WireEvent } from './black-box.ts';

interface Line {
  journal_seq?: number;
  event?: WireEvent;
  ack?: Record<string, unknown>;
  error?: { kind: string; command_id?: string; line?: number };
}
const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((each) => JSON.parse(each) as Line);
const input = (id: string, text: string) =>
  `printf '%s\\n' '${line({ type: 'UserInput', command_id: id, agency: 'user', text }).trimEnd()}'`;
/** Runs stdio under a limit of a file's size (KiB) while the lines come one after another. */
const under = (limit: number, ...lines: string[]) =>
  `( ${lines.join('; sleep 0.6; ')} ) | ( ulimit -f ${limit}; chat stdio ) | cat; exit \${PIPESTATUS[1]}`;

describe('a journal that is full', () => {
  blackBox('for one input: TurnRejected{internal}, and the next one goes on', async (t) => {
    const ran = await t.bash(under(16, input('big', 'x'.repeat(30_000)), input('small', 'hello')));
    const lines = linesOf(ran.stdout);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const replies = lines.flatMap(({ event }) =>
      event?.cause ? [[event.cause.command_id, event.type, event.reason]] : [],
    );
    expect(replies).toEqual([
      ['big', 'TurnRejected', 'internal'],
      ['small', 'TurnStarted', undefined],
    ]);
    expect(t.model.requests).toHaveLength(1);
    const enduring = lines.flatMap(({ journal_seq }) => journal_seq || []);
    expect(enduring).toEqual([...enduring].sort((a, b) => a - b));
    expect((await t.run(['audit', lines[0]?.event?.session_id ?? ''])).code).toBe(0);
  });

  blackBox('for good: one line says so, every later command is answered, exit 1; the restart settles it', async (t) => {
    const text = 'x'.repeat(600);
    t.model.answerBy(() => [
      { op: 'text', value: text, size: 100, delayMs: 0 },
      { op: 'finish', reason: 'stop' },
    ]);
    const inputs = Array.from({ length: 6 }, (_, i) => input(`${i}`, text));
    const ran = await t.bash(
      under(
        6,
        ...inputs,
        `printf '%s\\n' '{"type":"Interrupt","command_id":"stop"}' '{"type":"Shutdown","command_id":"end"}'`,
      ),
    );
    expect(ran.code).toBe(1);
    const lines = linesOf(ran.stdout);
    const faults = lines.filter(({ error }) => error?.kind === 'journal');
    expect(faults).toHaveLength(1);
    const behind = lines.slice(lines.indexOf(faults[0] as Line) + 1);
    expect(behind.every(({ error }) => error?.kind === 'session_faulted' && error.command_id)).toBe(true);
    expect(behind.map(({ error }) => error?.command_id).slice(-2)).toEqual(['stop', 'end']);
    const again = t.chat({ args: ['--continue'] });
    await again.until('RestoreDone');
    again.submit('go on');
    await again.until('TurnDone');
    await again.close();
    expect((await t.run(['audit', again.events()[0]?.session_id ?? ''])).code).toBe(0);
  });
});
