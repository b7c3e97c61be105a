/** What was seen is what was committed, and the limits that end a turn. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { blackBox, driver, script } from './black-box.ts';

const { say, text, thinking, finish, toolCall, usage } = script;

describe('what an endpoint wants back with a call', () => {
  blackBox('is journaled with it, shown in no delta, and sent with it again, also after a resume', async (t) => {
    const extra_content = { google: { thought_signature: 'sig-1' } };
    const home = join(t.sandbox.home, 'harness-chat');
    mkdirSync(home, { mode: 0o700 });
    const main = { baseUrl: t.model.url, model: 'm', quirks: { callFields: ['extra_content'] } };
    writeFileSync(join(home, 'config.json'), JSON.stringify({ providers: { main } }), { mode: 0o600 });
    const env = { OPENAI_BASE_URL: undefined, OPENAI_MODEL: undefined };
    const call = { index: 0, id: 'c1', function: { name: 'list_files', arguments: '{}' }, extra_content };
    t.model.reply([script.delta({ tool_calls: [call] }), finish('tool_calls')], say('one'), say('two'));
    const chat = t.chat({ args: ['-p', 'main'], env });
    chat.submit('go');
    await chat.until('TurnDone');
    await chat.close();
    expect(JSON.stringify(chat.events('TokenDelta'))).not.toContain('sig-1');
    t.sound(chat);
    const again = t.chat({ args: ['-p', 'main', '--continue'], env });
    again.submit('go on');
    await again.until('TurnDone');
    await again.close();
    const sent = t.model.requests.slice(1).map(({ body }) => body.messages.find(({ tool_calls }) => tool_calls));
    expect(sent).toMatchObject([{ tool_calls: [{ extra_content }] }, { tool_calls: [{ extra_content }] }]);
    t.sound(again);
  });
});

describe('what was seen', () => {
  blackBox('is what was committed: text, thinking, refusal and arguments, cut anyhow', async (t) => {
    const words = 'déjà 😀 vu\n\u2028`x`\t"q"\\ end';
    const args = { command: `printf '%s' "ä😀" # ${words.replace(/[\n\u2028"`'\\]/g, '')}` };
    for (const size of [1, 2, 1000]) {
      t.model.reply(
        [
          { ...thinking(words), size },
          { ...text(words), size },
          { ...toolCall('shell', args), size },
          finish('tool_calls'),
          usage(1, 1),
        ],
        say(words, { size }),
      );
    }
    const chat = t.chat();
    for (let n = 1; n <= 3; n += 1) {
      chat.submit('go');
      await chat.until(({ type, turn_index }) => type === 'TurnDone' && turn_index === n);
    }
    await chat.close();
    expect(chat.events('StepDone')).toHaveLength(6);
    for (const step of chat.events('StepDone')) {
      const chunks = chat
        .events('TokenDelta')
        .filter(({ step_id }) => step_id === step.step_id)
        .map(({ chunk }) => chunk);
      const joined = (type: string) =>
        chunks
          .filter((chunk) => chunk?.type === type)
          .map((chunk) => chunk?.text ?? chunk?.input_json)
          .join('');
      const [answer] = step.messages ?? [];
      expect(joined('text')).toBe(driver.textOf(answer));
      const [use] = answer?.blocks?.filter(({ type }) => type === 'tool_use') ?? [];
      if (!use) continue;
      expect(joined('thinking')).toBe(words);
      expect(JSON.parse(joined('tool_use'))).toEqual(use.input);
      const calls = chunks.filter((chunk) => chunk?.type === 'tool_use');
      expect(new Set(calls.map((chunk) => `${chunk?.index} ${chunk?.id} ${chunk?.name}`))).toEqual(
        new Set([`0 ${use.id as string} shell`]),
      );
    }
    t.sound(chat);
  });

  blackBox('an answer that the output limit cut is an answer, marked as such', async (t) => {
    t.model.reply([text('so far'), finish('length'), usage(1, 1)]);
    const chat = t.chat();
    chat.submit('go');
    const done = await chat.until('TurnDone');
    expect(done.message).toMatchObject({ truncated: true, blocks: [{ type: 'text', text: 'so far' }] });
    await chat.close();
    t.sound(chat);
  });
});

describe('limits of tools', () => {
  blackBox('--max-tool-calls: the batch over it does not run and is not committed', async (t) => {
    const batch = [
      toolCall('shell', { command: 'echo x >> ran' }),
      toolCall('shell', { command: 'echo x >> ran' }),
      finish('tool_calls'),
    ];
    t.model.reply(batch, batch, say('never asked'));
    const chat = t.chat({ args: ['--max-tool-calls', '3'] });
    chat.submit('go');
    const queued = chat.submit('queued', { no_fold: true });
    const failed = await chat.until('TurnFailed');
    expect([failed.err?.kind, failed.err?.message]).toEqual(['tool_limit', expect.stringMatching(/max-?tool-?calls/i)]);
    await chat.untilReply(queued, 'InputCancelled');
    await chat.close();
    expect([chat.events('StepDone').length, chat.events('ToolCallStarted').length]).toEqual([1, 2]);
    t.sound(chat);
  });
});
