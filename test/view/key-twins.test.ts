/** Every action can be done by a key and by a slash command (contract: The chat on the screen): both tables are walked. */
import { describe, expect, test } from 'vitest';
import type { KeyInput } from '../../src/domain/terminal-input.ts';
import type { Chat } from '../../src/view/chat.ts';
import { type KeyAction, keyBindings } from '../../src/view/key-bindings.ts';
import { KEY_TWINS, twinOf } from '../../src/view/key-twins.ts';
import { buildKeymap } from '../../src/view/keymap.ts';
import { completeSlash, parseDraft, SLASH_COMMANDS, type SlashCommand } from '../../src/view/slash-commands.ts';
import { update } from '../../src/view/update.ts';
import { answered, ChatDriver, STEP, TURN, USAGE } from '../support/chat-driver.ts';

const COMMANDS: readonly SlashCommand[] = SLASH_COMMANDS;

/** A chord such as `alt+up` as the terminal's decoder gives it. */
function press(chat: ChatDriver, chord: string): void {
  const parts = chord.split('+');
  const name = parts.pop() ?? '';
  const has = (modifier: string) => parts.includes(modifier);
  const plain = parts.length === 0 && name.length === 1;
  const key: KeyInput = { type: 'key', name, ctrl: has('ctrl'), alt: has('alt'), shift: has('shift') };
  chat.now += 500;
  const step = update(chat.chat, plain ? { ...key, text: name } : key, { now: chat.now, id: `pressed-${chat.now}` });
  chat.chat = step.chat;
  chat.intents.push(...step.intents);
  chat.printed.push(...step.print.map((line) => line.map(({ text }) => text).join('')));
}

/** What came of it: what is asked for, without the ids of the commands, and what is open. */
function outcome(chat: ChatDriver): unknown {
  const intents = chat.intents
    .filter(({ type }) => type !== 'Remember')
    .map((intent) => (intent.type === 'Command' ? { ...intent.command, commandId: '' } : intent));
  const { overlay, focus, view } = chat.chat;
  return { intents, overlay: overlay?.kind, focus: focus.kind, approval: view.approval };
}

const idle = () => ChatDriver.started();
const busy = () => ChatDriver.busy();
function queued(): ChatDriver {
  const chat = ChatDriver.busy();
  chat.queued('one', 'two');
  chat.intents = [];
  return chat;
}
function asking(): ChatDriver {
  const chat = ChatDriver.busy();
  const scopes = [
    { scope: 'session' as const, covers: 'ls' },
    { scope: 'always' as const, covers: 'ls' },
  ];
  chat.event({
    ...STEP,
    type: 'PermissionRequested',
    toolExecutionId: 'r1',
    toolUseId: 'u1',
    request: { toolName: 'shell', summary: 'ls', detail: 'ls', scopes },
  });
  chat.picture;
  chat.wait(1000);
  return chat;
}
function replied(): ChatDriver {
  const chat = ChatDriver.busy();
  const message = answered('so:\n\n```\ncode\n```\n');
  chat.event({ ...STEP, type: 'StepDone', messages: [message] });
  chat.event({ ...TURN, type: 'TurnDone', turnIndex: 1, message, usage: USAGE });
  chat.wait(5000);
  return chat;
}
/** Into the queue, at its first row. */
const first = (chat: ChatDriver) => {
  press(chat, 'alt+up');
  press(chat, 'up');
  return chat;
};

const typed = (text: string) => (chat: ChatDriver, chord: string) => {
  chat.keys(text);
  press(chat, chord);
};
const atLast = (chat: ChatDriver, chord: string) => {
  press(chat, 'alt+up');
  press(chat, chord);
};

/** A place where both mean something: how the key is pressed there, and what is typed instead. */
const SAME: readonly [KeyAction, () => ChatDriver, (chat: ChatDriver, chord: string) => void, string][] = [
  ['hold', busy, typed('later'), '/hold later'],
  ['enter-queue', queued, press, '/queue'],
  ['search-history', idle, press, '/history'],
  ['edit-outside', idle, press, '/editor'],
  ['help', idle, press, '/help'],
  ['queue-retract', queued, (chat, chord) => press(first(chat), chord), '/retract 1'],
  ['queue-retract-all', queued, (chat, chord) => press(first(chat), chord), '/retract all'],
  ['queue-edit', queued, (chat, chord) => press(first(chat), chord), '/edit 1'],
  ['queue-hold', queued, (chat, chord) => press(first(chat), chord), '/fold 1'],
  ['queue-send-now', queued, (chat, chord) => press(first(chat), chord), '/send-now 1'],
  ['queue-move-down', queued, (chat, chord) => press(first(chat), chord), '/move 1 2'],
  ['queue-move-up', queued, atLast, '/move 2 1'],
  ['gate-1', asking, press, '/approve once'],
  ['gate-2', asking, press, '/approve session'],
  ['gate-3', asking, press, '/approve always'],
  ['gate-4', asking, press, '/deny'],
  ['interrupt', busy, press, '/interrupt'],
  ['cancel', busy, press, '/interrupt'],
  ['delete-or-quit', idle, press, '/quit'],
  ['unfold', idle, press, '/output'],
  ['transcript', replied, press, '/transcript'],
  ['redraw', idle, press, '/redraw'],
  ['approval-mode', idle, press, '/approvals auto'],
  ['use-local', idle, press, '/use'],
  ['suspend', idle, press, '/suspend'],
];

describe('every key has a slash command, or a reason', () => {
  test('each names one that there is', () => {
    for (const { action } of keyBindings) {
      const twin = twinOf(action);
      if (twin === undefined)
        expect([action, KEY_TWINS[action]]).toEqual([action, expect.stringMatching(/^(text|place)$/)]);
      else expect([action, parseDraft(twin).kind]).toEqual([action, 'command']);
    }
  });

  test.each(SAME)('%s does as its command', (action, scene, pressed, said) => {
    const byKey = scene();
    pressed(byKey, keyBindings.find((binding) => binding.action === action)?.keys[0] ?? '');
    const bySlash = scene();
    // at a question Enter gives the marked answer and nothing else: a command is sent with Tab
    bySlash.keys(`${said}${scene === asking ? '<Tab>' : '<Enter>'}`);
    const focus = action.startsWith('queue-') ? { focus: 'any' } : {};
    expect({ ...(outcome(byKey) as object), ...focus }).toEqual({ ...(outcome(bySlash) as object), ...focus });
    expect(KEY_TWINS[action as keyof typeof KEY_TWINS].split(' ')[0]).toBe(said.split(' ')[0]);
  });

  test('none that has a command is left out above, but those of a question and of what is copied', () => {
    const tried = new Set<string>(SAME.map(([action]) => action));
    const left = keyBindings.filter(({ action }) => twinOf(action) !== undefined && !tried.has(action));
    expect(left.map(({ action }) => action)).toEqual([
      ...['gate-5', 'gate-6', 'gate-7', 'gate-8', 'gate-9', 'gate-choose'],
      ...['overlay-copy', 'overlay-copy-code'],
    ]);
  });

  test('what is copied in the transcript is copied by name', () => {
    const chat = replied();
    chat.keys('/copy code<Enter>');
    expect(chat.intents.at(-1)).toEqual({ type: 'Errand', errand: { type: 'Copy', text: 'code' } });
    chat.keys('/copy nothing<Enter>');
    expect(chat.picture).toContain('usage: /copy [code]');
  });
});

describe('every slash command has keys', () => {
  test('the list that / opens has them all, to choose from', () => {
    expect(completeSlash('/').map(({ name }) => name)).toEqual(COMMANDS.map(({ name }) => name));
  });

  test.each(COMMANDS.map(({ name }) => [name] as const))('/%s does the same on a key of its own', (name) => {
    const { keymap } = buildKeymap({ [`/${name}`]: 'f5' });
    if (!keymap) throw new Error(`/${name} cannot be bound`);
    const at = (): ChatDriver => ChatDriver.started(undefined, { keymap });
    const byKey = at();
    byKey.keys('a draft');
    press(byKey, 'f5');
    const bySlash = at();
    bySlash.keys(`/${name}${name === 'editor' ? ' a draft' : ''}<Enter>`);
    expect(outcome(byKey)).toEqual(outcome(bySlash));
    const said = (chat: Chat) => chat.notice?.text;
    expect(said(byKey.chat)).toBe(said(bySlash.chat));
    if (name !== 'edit') expect(byKey.draft).toBe('a draft');
  });

  test.each([
    [{ '/status': 'ctrl+t' }, /ctrl\+t is bound to both transcript and \/status/],
    [
      { '/status': 'f5', '/config': 'f5' },
      /f5 is bound to both \/config and \/status|f5 is bound to both \/status and \/config/,
    ],
    [{ '/status': 's' }, /s for \/status could no longer be typed/],
    [{ '/stauts': 'f5' }, /there is no action "\/stauts"/],
  ])('a conflict is refused by name: %j', (keys, why) => {
    expect(buildKeymap(keys).error).toMatch(why);
  });

  test('the help names what does the same', () => {
    const chat = ChatDriver.started({ columns: 100, rows: 140 });
    chat.keys('/help<Enter>');
    expect(chat.picture).toMatch(/Ctrl\+T +the transcript \(\/transcript\)/);
    expect(chat.picture).toMatch(/Ctrl\+S +interrupt, and start with this one \(\/send-now N\)/);
  });
});
