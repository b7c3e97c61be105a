/** What a line of standard input may be, and everything that is no command. */
import { describe, expect } from 'vitest';
import { blackBox, type Chat, line, untilLine } from './black-box.ts';

const errorsOf = (chat: Chat) => chat.errors.flatMap(({ error }) => (error ? [error] : []));
const text = (value: string) => [{ type: 'text', text: value }];

const INVALID: [what: string, wire: string, says: RegExp][] = [
  ['no JSON', 'hello', /no JSON/],
  ['a blank line', '', /no JSON/],
  ['a list', '[]', /object/],
  ['null', 'null', /object/],
  ['a number', '1', /object/],
  ['no type', '{}', /no type/],
  ['an unknown type', '{"type":"UserInputs"}', /"UserInputs"/],
  ['a type that is none', '{"type":7}', /7/],
  ['a name of every object', '{"type":"constructor"}', /constructor/],
  ['an event', '{"type":"StepDone"}', /StepDone/],
  ['text and blocks', '{"type":"UserInput","text":"a","blocks":[]}', /not both/],
  ['blocks that are no list', '{"type":"UserInput","blocks":"a"}', /blocks/],
  ['a block that is no object', '{"type":"UserInput","blocks":["a"]}', /blocks\[0\]/],
  ['an unknown block', '{"type":"UserInput","blocks":[{"type":"audio","text":"a"}]}', /blocks\[0\]/],
  [
    'a block of the model',
    '{"type":"UserInput","blocks":[{"type":"tool_use","id":"a","name":"b","input":{}}]}',
    /blocks\[0\]/,
  ],
  ['a text block without text', '{"type":"UserInput","blocks":[{"type":"text"}]}', /blocks\[0\]\.text/],
  ['text that is none', '{"type":"UserInput","text":5}', /text/],
  ['an image without data', '{"type":"UserInput","blocks":[{"type":"image","media_type":"image/png"}]}', /data/],
  [
    'an image of no media type',
    '{"type":"UserInput","blocks":[{"type":"image","media_type":"text/html","data":"aaaa"}]}',
    /media_type/,
  ],
  [
    'an image that is no base64',
    '{"type":"UserInput","blocks":[{"type":"image","media_type":"image/png","data":"a!"}]}',
    /base64/,
  ],
  ['no_fold that is none', '{"type":"UserInput","text":"a","no_fold":"yes"}', /no_fold/],
  ['an unknown agency', '{"type":"UserInput","text":"a","agency":"robot"}', /agency/],
  ['a command id that is none', '{"type":"UserInput","text":"a","command_id":5}', /command_id/],
  ['an empty command id', '{"type":"UserInput","text":"a","command_id":""}', /command_id/],
  ['a command id of 129 characters', `{"type":"UserInput","text":"a","command_id":"${'x'.repeat(129)}"}`, /128/],
  ['an unknown loop', '{"type":"UserInput","text":"a","loop_id":"nowhere"}', /nowhere/],
  ['a loop id that is none', '{"type":"UserInput","text":"a","loop_id":5}', /loop_id/],
  ['a retract of nothing', '{"type":"CancelQueuedInput"}', /target_command_id/],
  ['a retract of a number', '{"type":"CancelQueuedInput","target_command_id":5}', /target_command_id/],
  ['an interrupt of an unknown loop', '{"type":"Interrupt","loop_id":"nowhere"}', /nowhere/],
  ['a resume of an unknown loop', '{"type":"ResumeQueue","loop_id":"nowhere"}', /nowhere/],
  ['a move of nothing', '{"type":"MoveQueuedInput"}', /target_command_id/],
  ['a change of nothing', '{"type":"SetQueuedInput","no_fold":true}', /target_command_id/],
  ['a change to what is no hold', '{"type":"SetQueuedInput","target_command_id":"a","no_fold":1}', /no_fold/],
  ['an approval of nothing', '{"type":"ApproveToolCall","scope":"once"}', /tool_execution_id/],
  ['an unknown scope', '{"type":"ApproveToolCall","tool_execution_id":"a","scope":"ever"}', /scope/],
  ['a denial of nothing', '{"type":"DenyToolCall"}', /tool_execution_id/],
  ['an answer to nothing', '{"type":"ProvideUserInput","answer":"a"}', /tool_execution_id/],
  ['an active loop that is not named', '{"type":"SetActiveLoop"}', /loop_id/],
  ['an active loop that is not there', '{"type":"SetActiveLoop","loop_id":"nowhere"}', /nowhere/],
  ['no model', '{"type":"SetModel"}', /model/],
  ['a model of an unknown loop', '{"type":"SetModel","model":"a","loop_id":"nowhere"}', /nowhere/],
  ['a compaction of an unknown loop', '{"type":"Compact","loop_id":"nowhere"}', /nowhere/],
  ['no name', '{"type":"RenameSession"}', /name/],
  ['an agent name that is none', '{"type":"StartLoop","agent_name":{}}', /agent_name/],
];

describe('a line that is no valid command', () => {
  blackBox('is answered with its number and what is wrong; nothing comes of it', async (t) => {
    const chat = t.chat();
    await chat.until('LoopStarted');
    chat.sendRaw(INVALID.map(([, wire]) => `${wire}\n`).join(''));
    const id = chat.submit('still here');
    await chat.untilReply(id, 'TurnStarted');
    await chat.until('TurnDone');
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    const errors = errorsOf(chat);
    expect(errors.map(({ kind, line: at }) => [kind, at])).toEqual(INVALID.map((_, i) => ['invalid_command', i + 1]));
    for (const [i, [what, , says]] of INVALID.entries()) expect(errors[i]?.message, what).toMatch(says);
    expect(t.model.requests).toHaveLength(1);
    t.sound(chat);
  });

  blackBox('names the command id where it had one', async (t) => {
    const chat = t.chat();
    chat.send({ type: 'UserInput', command_id: 'mine', text: 'a', loop_id: 'nowhere' });
    chat.send({ type: 'UserInput', command_id: 'mine too', blocks: 5 });
    await untilLine(chat, ({ error }) => error?.line === 2);
    expect(errorsOf(chat).map((error) => error.command_id)).toEqual(['mine', 'mine too']);
    await chat.close();
  });

  blackBox('is no use of its command id: the mended command may carry it', async (t) => {
    const chat = t.chat();
    for (const wrong of [{ loop_id: 'nowhere' }, { blocks: 5 }]) {
      chat.send({ type: 'UserInput', command_id: 'mine', agency: 'user', text: 'a', ...wrong });
      await untilLine(chat, ({ error }) => error?.command_id === 'mine');
    }
    chat.send({ type: 'UserInput', command_id: 'mine', agency: 'user', text: 'a' });
    await chat.untilReply('mine', 'TurnStarted');
    await chat.close();
  });
});

describe('a line', () => {
  blackBox(
    'may end with CRLF, hold U+2028, begin with a byte order mark, come in pieces, and lack its last end',
    async (t) => {
      const said = 'a\u2028b\u2029c\u0085d\r\n\té😀';
      const chat = t.chat();
      chat.sendRaw(`\uFEFF${JSON.stringify({ type: 'UserInput', command_id: '1', agency: 'user', text: said })}\r\n`);
      await chat.untilReply('1', 'TurnStarted');
      await chat.until('TurnDone');
      // every byte by itself, also those in the middle of a character
      for (const byte of Buffer.from(line({ type: 'UserInput', command_id: '2', agency: 'user', text: said }))) {
        chat.sendRaw(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await chat.untilReply('2', 'TurnStarted');
      chat.sendRaw(JSON.stringify({ type: 'UserInput', command_id: '3', agency: 'user', text: said }));
      expect(await chat.close()).toEqual({ code: 0, signal: null });
      expect(chat.events('TurnStarted').map(({ message }) => message?.blocks)).toEqual([
        text(said),
        text(said),
        text(said),
      ]);
      expect(errorsOf(chat)).toEqual([]);
      t.sound(chat);
    },
  );

  blackBox('that is no valid UTF-8 is refused, not repaired', async (t) => {
    const chat = t.chat();
    const [head, tail] = line({ type: 'UserInput', text: 'caf@' }).split('@') as [string, string];
    chat.sendRaw(Buffer.concat([Buffer.from(head), Buffer.from([0xe9]), Buffer.from(tail)]));
    const refused = await untilLine(chat, ({ error }) => error !== undefined);
    expect(refused.error).toMatchObject({ kind: 'invalid_command', line: 1, message: expect.stringMatching(/UTF-8/) });
    chat.submit('next');
    await chat.until('TurnDone');
    await chat.close();
    expect(chat.events('TurnStarted')).toHaveLength(1);
  });

  blackBox('may be megabytes long', async (t) => {
    const chat = t.chat();
    const long = 'x'.repeat(3_000_000);
    const id = chat.submit(long);
    const started = await chat.untilReply(id, 'TurnStarted');
    expect(started.message?.blocks).toEqual(text(long));
    await chat.until('TurnDone');
    await chat.close();
    t.sound(chat);
  });
});
