import { describe, expect, it } from 'vitest';
import { decodeCommand } from '../../../src/edge/wire/command-codec.ts';

const read = (wire: unknown) => decodeCommand(typeof wire === 'string' ? wire : JSON.stringify(wire), () => 'made-up');

describe('a command line is taken', () => {
  const head = { commandId: 'made-up', agency: 'machine' };
  const text = { type: 'text', text: 'hi' };
  it.each<[unknown, unknown]>([
    [
      { type: 'UserInput', text: 'hi' },
      { type: 'UserInput', ...head, blocks: [text] },
    ],
    [{ type: 'UserInput' }, { type: 'UserInput', ...head, blocks: [] }],
    [
      { type: 'UserInput', text: '' },
      { type: 'UserInput', ...head, blocks: [] },
    ],
    [
      { type: 'UserInput', blocks: [] },
      { type: 'UserInput', ...head, blocks: [] },
    ],
    [
      {
        type: 'UserInput',
        command_id: 'mine',
        agency: 'user',
        blocks: [text, { type: 'image', media_type: 'image/png', data: 'QUJD' }],
        no_fold: true,
        loop_id: 'l',
        mood: 1,
      },
      {
        type: 'UserInput',
        commandId: 'mine',
        agency: 'user',
        blocks: [text, { type: 'image', mediaType: 'image/png', data: 'QUJD' }],
        noFold: true,
        loopId: 'l',
      },
    ],
    [
      { type: 'UserInput', text: 'hi', no_fold: false, loop_id: '' },
      { type: 'UserInput', ...head, blocks: [text] },
    ],
    [
      { type: 'UserInput', command_id: '\ud83d\ude00'.repeat(128) },
      { type: 'UserInput', ...head, commandId: '\ud83d\ude00'.repeat(128), blocks: [] },
    ],
    [
      { type: 'CancelQueuedInput', target_command_id: 'c' },
      { type: 'CancelQueuedInput', ...head, targetCommandId: 'c' },
    ],
    [
      { type: 'SendQueuedInput', target_command_id: 'c' },
      { type: 'SendQueuedInput', ...head, targetCommandId: 'c' },
    ],
    [{ type: 'Interrupt' }, { type: 'Interrupt', ...head }],
    [
      { type: 'ResumeQueue', loop_id: 'l' },
      { type: 'ResumeQueue', ...head, loopId: 'l' },
    ],
    [
      { type: 'MoveQueuedInput', target_command_id: 'c' },
      { type: 'MoveQueuedInput', ...head, targetCommandId: 'c' },
    ],
    [
      { type: 'MoveQueuedInput', target_command_id: 'c', before_command_id: 'd' },
      { type: 'MoveQueuedInput', ...head, targetCommandId: 'c', beforeCommandId: 'd' },
    ],
    [
      { type: 'SetQueuedInput', target_command_id: 'c' },
      { type: 'SetQueuedInput', ...head, targetCommandId: 'c', noFold: false },
    ],
    [
      { type: 'ApproveToolCall', tool_execution_id: 'x' },
      { type: 'ApproveToolCall', ...head, toolExecutionId: 'x', scope: 'once' },
    ],
    [
      { type: 'DenyToolCall', tool_execution_id: 'x', reason: 'no' },
      { type: 'DenyToolCall', ...head, toolExecutionId: 'x', reason: 'no' },
    ],
    [
      { type: 'ProvideUserInput', tool_execution_id: 'x', answer: 'a' },
      { type: 'ProvideUserInput', ...head, toolExecutionId: 'x', answer: 'a' },
    ],
    [
      { type: 'StartLoop', agent_name: 'b' },
      { type: 'StartLoop', ...head, agentName: 'b' },
    ],
    [
      { type: 'SetActiveLoop', loop_id: 'l' },
      { type: 'SetActiveLoop', ...head, loopId: 'l' },
    ],
    [
      { type: 'SetModel', model: 'm', provider: 'p' },
      { type: 'SetModel', ...head, model: 'm', provider: 'p' },
    ],
    [{ type: 'Compact' }, { type: 'Compact', ...head }],
    [
      { type: 'RenameSession', name: 'n' },
      { type: 'RenameSession', ...head, name: 'n' },
    ],
    ['\uFEFF{"type":"Shutdown"}\r', { type: 'Shutdown', ...head }],
  ])('%j', (wire, command) => {
    const decoded = read(wire);
    expect(decoded).toStrictEqual({ ok: true, command });
  });

  it('also with a picture of 24 MB, and text that is no well-formed Unicode', () => {
    const data = 'QUJD'.repeat(6_000_000);
    expect(read({ type: 'UserInput', blocks: [{ type: 'image', media_type: 'image/png', data }] }).ok).toBe(true);
    expect(read({ type: 'UserInput', text: 'a\ud800\u2028' })).toMatchObject({
      command: { blocks: [{ text: 'a\ud800\u2028' }] },
    });
  });
});

describe('a command line is refused', () => {
  const picture = (data: string, media_type = 'image/png') => ({
    type: 'UserInput',
    blocks: [{ type: 'image', media_type, data }],
  });
  it.each<[unknown, RegExp]>([
    ['', /no JSON/],
    ['{', /no JSON/],
    ['[]', /no JSON object/],
    ['null', /no JSON object/],
    ['7', /no JSON object/],
    [{}, /no type/],
    [{ type: 'Explode' }, /"Explode" is no type/],
    [{ type: 'toString' }, /no type/],
    [{ type: ['UserInput'] }, /no type/],
    [{ type: 'UserInput', text: 'a', blocks: [] }, /blocks or text, not both/],
    [{ type: 'UserInput', text: 7 }, /UserInput: text: .*string/],
    [{ type: 'UserInput', text: null }, /text/],
    [{ type: 'UserInput', blocks: [{ type: 'text' }] }, /blocks\[0\]\.text/],
    [{ type: 'UserInput', blocks: [{ type: 'audio' }] }, /blocks\[0\]/],
    [{ type: 'UserInput', blocks: 'hi' }, /blocks/],
    [{ type: 'UserInput', no_fold: 'yes' }, /no_fold/],
    [{ type: 'UserInput', no_fold: 1 }, /no_fold/],
    [{ type: 'UserInput', agency: 'god' }, /agency/],
    [{ type: 'UserInput', command_id: '' }, /command_id: must have 1 to 128/],
    [{ type: 'UserInput', command_id: 7 }, /command_id/],
    [{ type: 'UserInput', command_id: 'x'.repeat(129) }, /1 to 128/],
    [picture('QUJ'), /base64/],
    [picture('QU=D'), /base64/],
    [picture('===='), /base64/],
    [picture('data:image/png;base64,QUJD'), /base64/],
    [picture(''), /empty/],
    [picture('QUJD', 'text/html'), /media_type/],
    [{ type: 'CancelQueuedInput' }, /target_command_id/],
    [{ type: 'ApproveToolCall', tool_execution_id: 'x', scope: 'forever' }, /scope/],
    [{ type: 'SetActiveLoop' }, /loop_id/],
    [{ type: 'SetModel' }, /model/],
    [{ type: 'RenameSession', name: '' }, /name/],
  ])('%j', (wire, reason) => {
    const decoded = read(wire);
    expect(decoded.ok).toBe(false);
    if (!decoded.ok) {
      expect(decoded.message).toMatch(reason);
      expect(decoded.message).not.toContain('\n');
    }
  });

  it('names the command where its id can be used', () => {
    expect(read({ type: 'UserInput', command_id: 'mine', text: 7 })).toMatchObject({ ok: false, commandId: 'mine' });
    expect(read({ type: 'Explode', command_id: 'mine' })).toMatchObject({ ok: false, commandId: 'mine' });
    expect(read({ type: 'Explode', command_id: 7 })).not.toHaveProperty('commandId');
  });
});
