/** Gates: who is asked, in which order, and what the modes decide. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { blackBox, script, settled, typesOf } from './black-box.ts';

import { ASK, approve, deny, made, nextGate, results, touch } from './gate-commands.ts';

const { say, finish, call, toolCall } = script;
describe('several gates in one batch', () => {
  blackBox('open one after another and keep to their calls, also with equal text', async (t) => {
    t.model.reply([touch('P1'), touch('P2'), touch('P3'), touch('P2'), finish('tool_calls')], say('done'));
    const chat = t.chat(ASK);
    chat.submit('go');
    const first = await nextGate(chat, 1);
    await settled(chat);
    expect(chat.events('PermissionRequested')).toHaveLength(1);
    const queued = chat.submit('typed in between');
    await chat.untilReply(queued, 'InputQueued');
    approve(chat, first);
    deny(chat, await nextGate(chat, 2), 'not this one');
    approve(chat, await nextGate(chat, 3), 'once');
    const fourth = await nextGate(chat, 4);
    expect(chat.events('ToolCallStarted')).toEqual([]);
    deny(chat, fourth);
    await chat.until('TurnDone');
    await chat.close();
    expect(['P1', 'P2', 'P3'].map((file) => made(t, file))).toEqual([true, false, true]);
    const gates = chat.events('PermissionRequested');
    expect(
      chat
        .events('PermissionDecided')
        .map(({ tool_execution_id, effect, source }) => [tool_execution_id, effect, source]),
    ).toEqual(gates.map(({ tool_execution_id }, i) => [tool_execution_id, i % 2 ? 'deny' : 'approve', 'user']));
    expect(results(chat).map((block) => [block?.tool_use_id, block?.is_error ?? false])).toEqual(
      gates.map(({ tool_use_id }, i) => [tool_use_id, i % 2 === 1]),
    );
    expect(JSON.stringify(results(chat)[1])).toContain('not this one');
    expect(typesOf(chat.replies(queued))).toEqual(['InputQueued', 'TurnFoldedInto']);
    t.sound(chat);
  });

  blackBox('the same id twice is two calls', async (t) => {
    t.model.reply(
      [
        toolCall('shell', { command: 'touch P1' }, { id: 'c' }),
        toolCall('shell', { command: 'touch P2' }, { id: 'c' }),
        finish('tool_calls'),
      ],
      say('done'),
    );
    const chat = t.chat(ASK);
    chat.submit('go');
    deny(chat, await nextGate(chat, 1));
    approve(chat, await nextGate(chat, 2));
    await chat.until('TurnDone');
    await chat.close();
    expect([made(t, 'P1'), made(t, 'P2')]).toEqual([false, true]);
    t.sound(chat);
  });

  blackBox('an interrupt after the first answer: nothing runs', async (t) => {
    t.model.reply([touch('P1'), touch('P2'), finish('tool_calls')], say('fresh'));
    const chat = t.chat(ASK);
    chat.submit('go');
    approve(chat, await nextGate(chat, 1));
    await nextGate(chat, 2);
    chat.interrupt();
    await chat.until('TurnInterrupted');
    await chat.close();
    expect([made(t, 'P1'), made(t, 'P2')]).toEqual([false, false]);
    expect(chat.events('PermissionDecided').map(({ source }) => source)).toEqual(['user', 'abandoned']);
    t.sound(chat);
  });
});

describe('the modes', () => {
  blackBox('deny refuses without a question and says so; what reads is free', async (t) => {
    writeFileSync(join(t.sandbox.workspace, 'note.txt'), 'the note');
    t.model.reply([touch('P1'), toolCall('read_file', { path: 'note.txt' }), finish('tool_calls')], say('done'));
    const chat = t.chat({ args: ['--approval', 'deny'] });
    chat.submit('go');
    await chat.until('TurnDone');
    await chat.close();
    expect(chat.events('PermissionDecided').map(({ effect, source }) => [effect, source])).toEqual([
      ['deny', 'policy'],
    ]);
    expect(results(chat).map((block) => block?.is_error ?? false)).toEqual([true, false]);
    expect(typesOf(chat.events()).filter((type) => type.startsWith('ToolCall'))).toEqual([
      'ToolCallStarted',
      'ToolCallStarted',
      'ToolCallCompleted',
      'ToolCallCompleted',
    ]);
    t.sound(chat);
  });

  blackBox('auto runs what changes the workspace, and still asks before it leaves it', async (t) => {
    writeFileSync(join(t.sandbox.root, 'outside.txt'), 'secret words');
    t.model.reply(
      [
        toolCall('write_file', { path: 'in.txt', content: 'x' }),
        toolCall('read_file', { path: '../outside.txt' }),
        finish('tool_calls'),
      ],
      say('done'),
    );
    const chat = t.chat();
    chat.submit('go');
    const gate = await nextGate(chat, 1);
    expect(JSON.stringify(gate.request)).toContain(join(t.sandbox.root, 'outside.txt'));
    deny(chat, gate);
    await chat.until('TurnDone');
    await chat.close();
    expect(readFileSync(join(t.sandbox.workspace, 'in.txt'), 'utf8')).toBe('x');
    expect(JSON.stringify(t.model.requests[1])).not.toContain('secret words');
    t.sound(chat);
  });

  blackBox('a denied call that is made again and again ends the turn at the limit', async (t) => {
    t.model.answerBy(() => call('shell', { command: 'touch P1' }));
    const chat = t.chat({ args: ['--approval', 'deny'] });
    chat.submit('go');
    const failed = await chat.until('TurnFailed');
    expect(failed.err?.kind).toBe('tool_limit');
    await chat.close();
    expect([t.model.requests.length, chat.events('StepDone').length]).toEqual([4, 3]);
    t.sound(chat);
  });
});
