/** How `stdio` ends: drained, shut down, or by a signal. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ackOf, blackBox, line, script, settled, typesOf, type WireEvent } from './black-box.ts';

const { hold, text } = script;
const input = (id: string, more: Record<string, unknown> = {}) =>
  line({ type: 'UserInput', command_id: id, agency: 'user', text: id, ...more });
const shutdown = (id: string) => line({ type: 'Shutdown', command_id: id, agency: 'user' });

describe('the end of standard input', () => {
  blackBox('with nothing said: the session is there and stops, exit 0', async (t) => {
    const { code, stdout, stderr } = await t.run(['stdio']);
    expect([code, stderr]).toEqual([0, '']);
    const types = stdout
      .trimEnd()
      .split('\n')
      .map((each) => (JSON.parse(each) as { event: WireEvent }).event.type);
    expect(types).toEqual(['SessionStarted', 'LoopStarted', 'SessionStopped']);
  });

  blackBox('returns a paused queue, of people and machines, without a turn', async (t) => {
    t.model.reply([hold('a')]);
    const chat = t.chat();
    chat.submit('running');
    await t.model.reached('a');
    const ids = [chat.submit('one'), chat.submit('two', { no_fold: true })];
    await settled(chat);
    chat.interrupt();
    await chat.until('TurnInterrupted');
    ids.push(chat.submit('of a machine', { agency: 'machine' }));
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    expect(ids.map((id) => chat.resolution(id).map(({ reason, turn_id }) => [reason, turn_id]))).toEqual(
      ids.map(() => [['turn_interrupted', undefined]]),
    );
    expect(t.model.requests).toHaveLength(1);
    t.sound(chat);
  });

  blackBox('with everything in one write: input, queue, interrupt', async (t) => {
    t.model.reply([hold('never')]);
    const chat = t.chat();
    chat.sendRaw(
      input('a') +
        input('b') +
        input('c', { agency: 'machine' }) +
        line({ type: 'Interrupt', command_id: 'stop', agency: 'user' }),
    );
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    expect(typesOf(chat.resolution('a'))).toEqual(['TurnStarted']);
    expect(['b', 'c'].map((id) => chat.resolution(id).map(({ reason }) => reason))).toEqual([
      ['turn_interrupted'],
      ['turn_interrupted'],
    ]);
    expect([chat.events('TurnInterrupted').length, ackOf(chat, 'stop')?.cancelled]).toEqual([1, true]);
    t.sound(chat, {
      submits: ['a', 'b', 'c'].map((id) => ({
        command_id: id,
        blocks: [{ type: 'text', text: id }],
        agency: id === 'c' ? 'machine' : 'user',
      })),
    });
  });

  blackBox('a failed turn ends the drain as well, exit 0: what failed was said', async (t) => {
    t.model.reply([text('x'), hold('a'), script.drop()]);
    const chat = t.chat();
    chat.submit('a');
    await t.model.reached('a');
    const b = chat.submit('b');
    await settled(chat);
    chat.child.stdin?.end();
    t.model.release('a');
    expect(await chat.exited).toEqual({ code: 0, signal: null });
    expect(chat.resolution(b).map(({ reason }) => reason)).toEqual(['turn_failed']);
    t.sound(chat);
  });

  blackBox('that is closed, empty, a file, or no file at all', async (t) => {
    writeFileSync(join(t.sandbox.workspace, 'commands'), input('a'));
    for (const redirect of ['<&-', '</dev/null', '</']) {
      const { code, stdout, stderr } = await t.bash(`chat stdio ${redirect}`);
      expect([code, stderr, stdout.includes('SessionStopped')], redirect).toEqual([0, '', true]);
    }
    const read = await t.bash('chat stdio <commands');
    expect(read).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('TurnDone') });
  });
});

describe('Shutdown', () => {
  blackBox('twice, with commands behind it in the same write, of an idle session', async (t) => {
    const chat = t.chat();
    await chat.until('LoopStarted');
    chat.sendRaw(shutdown('first') + input('late') + line({ type: 'Interrupt', command_id: 'i' }) + shutdown('second'));
    expect(await chat.exited).toEqual({ code: 0, signal: null });
    expect(chat.resolution('late').map(({ type, reason }) => [type, reason])).toEqual([
      ['TurnRejected', 'shutting_down'],
    ]);
    expect(chat.errors).toEqual(
      expect.arrayContaining([
        { ack: { command_id: 'first' } },
        { ack: { command_id: 'second' } },
        { ack: { command_id: 'i', cancelled: false } },
      ]),
    );
    expect(typesOf(chat.events())).toEqual(['SessionStarted', 'LoopStarted', 'TurnRejected', 'SessionStopped']);
    t.sound(chat);
  });

  blackBox('behind an input in the same write: started, interrupted, and over', async (t) => {
    t.model.reply([hold('never')]);
    const chat = t.chat();
    chat.sendRaw(input('a') + input('b') + shutdown('end') + input('late'));
    expect(await chat.exited).toEqual({ code: 0, signal: null });
    expect(chat.resolution('b').map(({ reason }) => reason)).toEqual(['turn_interrupted']);
    expect(chat.resolution('late').map(({ reason }) => reason)).toEqual(['shutting_down']);
    expect(typesOf(chat.events()).slice(-3)).toEqual(['LoopIdle', 'SessionIdle', 'SessionStopped']);
    expect(ackOf(chat, 'end')).toEqual({ command_id: 'end' });
    t.sound(chat);
  });

  blackBox('of a paused queue, while its input ends too', async (t) => {
    t.model.reply([hold('a')]);
    const chat = t.chat();
    chat.submit('running');
    await t.model.reached('a');
    const kept = chat.submit('kept');
    await settled(chat);
    chat.interrupt();
    await chat.until('TurnInterrupted');
    chat.sendRaw(shutdown('end'));
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    expect(chat.resolution(kept).map(({ reason }) => reason)).toEqual(['turn_interrupted']);
    expect([ackOf(chat, 'end'), chat.events('SessionStopped').length]).toEqual([{ command_id: 'end' }, 1]);
    t.sound(chat);
  });
});

describe('a signal', () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    blackBox(`${signal}: the turn is interrupted, the queue returned, exit ${code}`, async (t) => {
      t.model.reply([text('x'), hold('never')]);
      const chat = t.chat();
      chat.submit('a');
      await t.model.reached('never');
      const b = chat.submit('b');
      await chat.untilReply(b, 'InputQueued');
      expect(await chat.kill(signal)).toEqual({ code, signal: null });
      expect(typesOf(chat.events()).slice(-5)).toEqual([
        'TurnInterrupted',
        'InputCancelled',
        'LoopIdle',
        'SessionIdle',
        'SessionStopped',
      ]);
      expect(chat.resolution(b).map(({ reason }) => reason)).toEqual(['turn_interrupted']);
      t.sound(chat);
    });
  }

  blackBox('while idle, and as the very first thing', async (t) => {
    const idle = t.chat();
    await idle.until('LoopStarted');
    expect(await idle.kill('SIGTERM')).toEqual({ code: 143, signal: null });
    expect(typesOf(idle.events())).toEqual(['SessionStarted', 'LoopStarted', 'SessionStopped']);
    const early = t.chat();
    await early.until('SessionStarted');
    expect(await early.kill('SIGINT')).toEqual({ code: 130, signal: null });
  });
});
