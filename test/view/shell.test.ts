import { describe, expect, test } from 'vitest';
import type { Intent } from '../../src/view/intent.ts';
import { shellDone } from '../../src/view/shell.ts';
import { ChatDriver, said } from '../support/chat-driver.ts';

const errands = (chat: ChatDriver) =>
  chat.intents.splice(0).flatMap((intent) => (intent.type === 'Errand' ? [intent.errand] : []));
const inputs = (chat: ChatDriver): Extract<Intent, { type: 'Command' }>[] =>
  chat.intents.splice(0).flatMap((intent) => (intent.type === 'Command' ? [intent] : []));
const finish = (chat: ChatDriver, output = 'a\nb'): void => {
  const result = { output, ending: 'exit code 0', ok: true, stopped: false, durationMs: 1200 };
  const step = shellDone(chat.chat, chat.chat.shell?.id ?? '', result, chat.now);
  chat.chat = step.chat;
};

describe('a command of one’s own', () => {
  test('runs, shows its seconds, and goes before the next input', () => {
    const chat = ChatDriver.started();
    chat.keys('!npm test<Enter>');
    expect(errands(chat)).toMatchObject([{ type: 'RunShell', command: 'npm test' }]);
    chat.wait(3000);
    expect(chat.picture).toContain('! npm test · running 3s');
    expect(chat.picture).toContain('Esc stops the command');
    finish(chat);
    expect(chat.picture).toContain('1 output goes along');
    chat.keys('why?<Enter>');
    const [intent] = inputs(chat);
    expect(intent?.command).toMatchObject({
      blocks: [{ text: '[attached output of `npm test`, exit code 0]\na\nb' }, { text: 'why?' }],
    });
    chat.keys('and?<Enter>');
    expect(inputs(chat)[0]?.command).toMatchObject({ blocks: said('and?').blocks });
  });

  test('Esc stops it, once, and interrupts no turn; the next Esc does', () => {
    const chat = ChatDriver.busy();
    chat.keys('!sleep 60<Enter><Esc><Esc>');
    expect(errands(chat)).toMatchObject([{ type: 'RunShell' }, { type: 'StopShell' }]);
    expect(chat.chat.view.loops[0]?.turn?.stopping).toBe(true);
  });

  test('one at a time; nothing behind the sign is a hint', () => {
    const chat = ChatDriver.started();
    chat.keys('!a<Enter>!b<Enter>!<Enter>');
    expect(errands(chat)).toMatchObject([{ command: 'a' }]);
  });

  test.each([
    ['!!not a command', '!not a command'],
    [' !not a command', '!not a command'],
    ['see !this', 'see !this'],
  ])('%j is sent as text', (typed, sent) => {
    const chat = ChatDriver.started();
    chat.keys(`${typed}<Enter>`);
    expect(inputs(chat)[0]?.command).toMatchObject({ blocks: said(sent).blocks });
  });

  test('taken back with its input, the output goes with the next one', () => {
    const chat = ChatDriver.busy();
    chat.keys('!ls<Enter>');
    finish(chat);
    const [id = ''] = chat.queued('look');
    const { blocks } = chat.rows[0] ?? { blocks: [] };
    chat.keys('<Up>e');
    chat.event({
      type: 'InputCancelled',
      loopId: 'loop-1',
      cause: { commandId: id, agency: 'user' },
      reason: 'client_retracted',
      message: { role: 'user', blocks: [...blocks] },
    });
    expect(chat.draft).toBe('look');
    expect(chat.chat.outputs).toHaveLength(1);
  });
});

describe('files', () => {
  const withFiles = (): ChatDriver => {
    const chat = ChatDriver.started();
    chat.chat = { ...chat.chat, files: { ...chat.chat.files, paths: ['README.md', 'src/alpha.ts', 'my notes.md'] } };
    return chat;
  };

  test('an @ looks for them once, Tab takes one, its text goes along', () => {
    const chat = withFiles();
    chat.keys('look at @alp');
    const asked = errands(chat);
    expect(asked.filter(({ type }) => type !== 'LookAtImages')).toEqual([{ type: 'ListFiles' }]);
    expect(asked.at(-1)).toEqual({ type: 'LookAtImages', names: ['alp'] });
    expect(chat.picture).toContain('❯ src/alpha.ts');
    chat.keys('<Tab>');
    expect(chat.draft).toBe('look at @src/alpha.ts ');
    chat.keys('ok<Enter>');
    expect(inputs(chat)).toMatchObject([{ attach: ['src/alpha.ts'] }]);
  });

  test('↓ and Enter take the next one; a name with a blank is quoted', () => {
    const chat = withFiles();
    chat.keys('@<Down><Down><Enter>');
    expect(chat.draft).toBe('@"my notes.md" ');
  });

  test('Enter without a choice sends what is written; Esc closes the list', () => {
    const chat = withFiles();
    chat.keys('@readme<Esc>');
    expect(chat.picture).not.toContain('❯ README');
    chat.keys('!<Enter>');
    expect(inputs(chat)).toMatchObject([{ attach: ['readme'] }]);
    expect(chat.draft).toBe('');
  });

  test('a mail address offers nothing', () => {
    const chat = withFiles();
    chat.keys('me@readme');
    expect(errands(chat)).toEqual([]);
  });
});
