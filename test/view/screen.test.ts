/** The screens of the chat as text files (test/screens; UPDATE_SCREENS=1 writes them), and what holds at every size. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textBlocks } from '../../src/view/commands.ts';
import { PALETTES } from '../../src/view/palette.ts';
import type { PickerItem } from '../../src/view/picker.ts';
import { withQueues } from '../../src/view/resumed.ts';
import { layout } from '../../src/view/screen.ts';
import { shellDone } from '../../src/view/shell.ts';
import { lineText, paintLine } from '../../src/view/style.ts';
import { fillPicker } from '../../src/view/update-picker.ts';
import { fillSettings } from '../../src/view/update-settings.ts';
import { displayWidth } from '../../src/view/width.ts';
import { answered, byUser, ChatDriver, LOOP, STEP, said, TURN, USAGE } from '../support/chat-driver.ts';
import { expectScreen } from '../support/golden.ts';
import { settingOf } from '../support/settings.ts';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 12 },
  { columns: 200, rows: 60 },
] as const;

/** What was printed, then the live region, with the cursor's place as a caret below its line. */
function picture(chat: ChatDriver): string {
  const { lines, cursor } = layout(chat.chat, chat.now);
  const region = lines.flatMap((line, i) => (cursor?.y === i ? [line, `${' '.repeat(cursor.x)}^`] : [line]));
  return [...chat.printed, '~~~', ...region].map((line) => line.trimEnd()).join('\n');
}

const call = (n: number, toolName: string, summary: string) => ({
  ...STEP,
  toolExecutionId: `r${n}`,
  toolUseId: `u${n}`,
  toolName,
  summary,
});
const ask = (detail: string) => ({
  ...STEP,
  type: 'PermissionRequested' as const,
  toolExecutionId: 'r1',
  toolUseId: 'u1',
  request: {
    toolName: 'shell',
    summary: detail,
    detail,
    scopes: [
      { scope: 'session' as const, covers: detail },
      { scope: 'always' as const, covers: detail },
    ],
  },
});

/** Scenes that have the whole terminal. */
const OVERLAYS = [
  'help',
  'settings',
  'settings-edit',
  'sessions',
  'steps',
  'models',
  'models-search',
  'models-failed',
  'providers',
];

const SESSIONS: PickerItem[] = [
  { id: 'a', title: 'fix the failing test in the parser', facts: ['12 turns', '~/work/app', '34 kB'], at: 400_000 },
  { id: 'b', title: 'docs: write the first chapter', facts: ['1 turn', '~/work/site', '2 kB'], at: 0 },
  { id: 'c', title: 'what is the meaning of it', facts: ['3 turns', '~', '8 kB'], at: 0 },
];

const MODELS: PickerItem[] = [
  { id: 'gpt-large', title: 'gpt-large', facts: ['400k tokens', '1.25 in, 10 out per 1M'] },
  { id: 'fake-model', title: 'fake-model', facts: ['in use', '128k tokens'], present: true },
  { id: 'small', title: 'small', facts: [] },
  { id: 'v', title: 'vendor/a-model-with-a-name-that-goes-on-and-on-70b-instruct', facts: ['8.2k tokens'] },
];

/** `/model` of an idle chat, with what came of the question for the list. */
function withModels(size: { columns: number; rows: number }, items: readonly PickerItem[], note?: string): ChatDriver {
  const chat = ChatDriver.started(size);
  chat.keys('/model<Enter>');
  chat.chat = fillPicker(chat.chat, 'models', items, { of: 'fake', note });
  return chat;
}

const SETTINGS = (): ReturnType<typeof settingOf>[] => [
  settingOf('model', 'fake-model', 'OPENAI_MODEL in the environment', 'environment', {
    help: 'The model that is asked.',
  }),
  settingOf('apiKey', 'sk-…cdef', '/home/me/.config/harness-chat/config.json', 'config', { secret: true }),
  settingOf('approval', 'ask', 'default', 'default', { choices: ['ask', 'auto', 'deny'], atOnce: true }),
  settingOf('system', '', 'default', 'default'),
  settingOf('maxSteps', '25', 'default', 'default', { allowed: 'a whole number from 1 to 100000' }),
  settingOf('statusBar', 'model, approval, loop, context, tokens, cost', 'default', 'default', { atOnce: true }),
  settingOf('providers.local.baseUrl', 'http://127.0.0.1:11434/v1', '/home/me/config.json', 'config'),
];

const SCENES: Record<string, (size: { columns: number; rows: number }) => ChatDriver> = {
  settings: (size) => {
    const chat = ChatDriver.started(size);
    chat.keys('/config<Enter>');
    chat.chat = fillSettings(chat.chat, SETTINGS());
    chat.keys('<Down><Down>');
    return chat;
  },
  'settings-edit': (size) => {
    const chat = ChatDriver.started(size);
    chat.keys('/config<Enter>');
    chat.chat = fillSettings(chat.chat, SETTINGS());
    chat.keys('steps<Enter><Backspace><Backspace>many');
    return chat;
  },
  empty: (size) => ChatDriver.started(size, { demo: true }),
  streaming: (size) => {
    const chat = ChatDriver.busy(size);
    chat.wait(3000);
    chat.text('# Rayleigh\n\nThe sky is blue because **short waves** scatter\nmore than long');
    return chat;
  },
  queue: (size) => {
    const chat = ChatDriver.busy(size);
    const ids = chat.queued('fix the test', 'then the docs');
    chat.keys('and a changelog entry<Tab>');
    const rest = chat.queued('four', 'five', 'six', 'seven');
    chat.keys('half a dra');
    chat.wait(12_000);
    expect(ids.length + rest.length).toBe(6);
    return chat;
  },
  'chosen-streaming': (size) => {
    const chat = ChatDriver.busy(size);
    chat.queued('one', 'two', 'three', 'four', 'five', 'six', 'seven');
    chat.text(Array.from({ length: 9 }, (_, i) => `line ${i + 1} of a paragraph`).join('\n'));
    chat.keys('<Up>');
    return chat;
  },
  chosen: (size) => {
    const chat = ChatDriver.busy(size);
    chat.queued('fix the test', 'then the docs');
    chat.keys('<Up><Up>d<Down>');
    return chat;
  },
  paused: (size) => {
    const chat = ChatDriver.busy(size);
    chat.queued('fix the test', 'then the docs');
    chat.text('an answer that is cut');
    chat.keys('<Esc>');
    chat.event({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
    return chat;
  },
  stopping: (size) => {
    const chat = ChatDriver.busy(size);
    chat.event({ type: 'ToolCallStarted', ...call(1, 'shell', 'sleep 60') });
    chat.wait(4000);
    chat.keys('<Esc>');
    return chat;
  },
  tools: (size) => {
    const chat = ChatDriver.busy(size);
    chat.text('I look at both files.\n');
    chat.event({ type: 'ToolCallStarted', ...call(1, 'read_file', 'README.md') });
    chat.event({ type: 'ToolCallStarted', ...call(2, 'shell', 'npm test -- --run a-test-with-a-long-name.test.ts') });
    chat.event({
      type: 'ToolCallCompleted',
      ...call(1, 'read_file', 'README.md'),
      isError: false,
      resultPreview: 'one\ntwo\nthree\nfour\nfive',
      durationMs: 40,
    });
    chat.wait(7200);
    return chat;
  },
  gate: (size) => {
    const chat = ChatDriver.busy(size);
    chat.event(ask('rm -rf build && npm run build'));
    chat.keys('wait, is ');
    chat.wait(400);
    chat.keys('<Down>');
    return chat;
  },
  reason: (size) => {
    const chat = ChatDriver.busy(size);
    chat.event(ask('rm -rf build'));
    chat.wait(400);
    chat.keys('5');
    return chat;
  },
  question: (size) => {
    const chat = ChatDriver.busy(size);
    chat.event({
      ...STEP,
      type: 'UserInputRequested',
      toolExecutionId: 'r1',
      toolUseId: 'u1',
      question: 'Which data base shall I use?',
      choices: ['SQLite', 'Postgres'],
    });
    return chat;
  },
  retry: (size) => {
    const chat = ChatDriver.busy(size);
    const err = { kind: 'provider_rate_limit', message: 'the server asks to wait' } as const;
    chat.event({ type: 'InferenceRetrying', ...STEP, attempt: 1, maxAttempts: 5, waitMs: 8000, err });
    chat.wait(1500);
    return chat;
  },
  failed: (size) => {
    const chat = ChatDriver.busy(size);
    const [id = ''] = chat.queued('and then this');
    chat.printed = [];
    const failure = { kind: 'provider_unavailable', message: 'nothing answers at 127.0.0.1:8080' } as const;
    chat.text('I begin, and');
    chat.event({ type: 'TurnFailed', ...TURN, turnIndex: 1, err: new Error('x'), failure });
    chat.event({
      type: 'InputCancelled',
      ...TURN,
      cause: byUser(id),
      turnIndex: 1,
      reason: 'turn_failed',
      message: said('and then this'),
    });
    return chat;
  },
  done: (size) => {
    const chat = ChatDriver.busy(size);
    chat.text('Yes.');
    chat.event({ type: 'StepDone', ...STEP, messages: [answered('Yes.')] });
    chat.wait(1234);
    chat.event({ type: 'TurnDone', ...TURN, turnIndex: 1, message: answered('Yes.'), usage: USAGE });
    return chat;
  },
  completion: (size) => {
    const chat = ChatDriver.started(size);
    chat.keys('/re');
    return chat;
  },
  search: (size) => {
    const chat = ChatDriver.started(size);
    chat.chat = { ...chat.chat, history: ['fix the test', 'write the docs'] };
    chat.keys('<Ctrl+R>fix');
    return chat;
  },
  draft: (size) => {
    const chat = ChatDriver.started(size);
    chat.paste('a first line\n한글 and a second line that is rather longer than the narrow terminal is wide\nthird');
    return chat;
  },
  help: (size) => {
    const chat = ChatDriver.started(size);
    chat.keys('?');
    return chat;
  },
  sessions: (size) => {
    const chat = ChatDriver.busy(size);
    chat.keys('/sessions<Enter>');
    chat.chat = fillPicker(chat.chat, 'sessions', SESSIONS);
    chat.keys('the<Down><Enter>');
    return chat;
  },
  steps: (size) => {
    const chat = ChatDriver.started(size);
    chat.keys('/fork<Enter>');
    const facts = ['turn 1, step 2', 'The parser drops the last line of a file without a line end.'];
    chat.chat = fillPicker(chat.chat, 'steps', [{ id: '9', title: 'fix the failing test', facts }]);
    return chat;
  },
  models: (size) => withModels(size, MODELS),
  'models-search': (size) => {
    const chat = withModels(size, MODELS);
    chat.keys('vend');
    return chat;
  },
  'models-failed': (size) => {
    const note = 'The list is down for maintenance. Type the name of a model, and Enter takes it.';
    return withModels(size, [], note);
  },
  providers: (size) => {
    const chat = ChatDriver.busy(size);
    chat.keys('/provider<Enter>');
    chat.chat = fillPicker(chat.chat, 'providers', [
      {
        id: 'fake',
        title: 'fake',
        facts: ['in use', 'fake-model', '127.0.0.1:8000'],
        present: true,
        model: 'fake-model',
      },
      { id: 'ollama', title: 'ollama', facts: ['127.0.0.1:11434'] },
      { id: 'groq', title: 'groq', facts: ['set GROQ_API_KEY'], refusal: 'groq has no key: set GROQ_API_KEY' },
    ]);
    chat.keys('<Down><Down><Enter>');
    return chat;
  },
  recovered: (size) => {
    const chat = ChatDriver.started(size);
    const said = { commandId: 'c1', agency: 'user', noFold: false, blocks: textBlocks('then the docs') } as const;
    const loop = { ...LOOP, agentName: 'main', model: 'fake-model', provider: 'fake', paused: true, queue: [said] };
    const returned = { ...LOOP, commandId: 'c0', blocks: textBlocks('and a changelog'), reason: 'failed' } as const;
    const snapshot = { activeLoopId: 'loop-1', approval: 'ask', loops: [loop] } as const;
    chat.chat = withQueues(chat.chat, snapshot, { returned: [returned], usage: new Map(), spent: new Map() });
    return chat;
  },
  shell: (size) => {
    const chat = ChatDriver.started(size);
    const result = { output: 'one\ntwo', ending: 'exit code 1', ok: false, stopped: false, durationMs: 1200 };
    chat.keys('!npm test<Enter>');
    const step = shellDone(chat.chat, chat.chat.shell?.id ?? '', result, chat.now);
    chat.chat = step.chat;
    chat.printed.push(...step.print.map(lineText));
    chat.keys('!npm run build<Enter>');
    chat.wait(4000);
    return chat;
  },
  files: (size) => {
    const chat = ChatDriver.started(size);
    const paths = ['README.md', 'src/view/screen.ts', 'src/view/screen-composer.ts', 'test/view/screen.test.ts'];
    chat.chat = { ...chat.chat, files: { paths, askedAt: chat.now } };
    chat.keys('look at @screen<Down>');
    return chat;
  },
  context: (size) => {
    const chat = ChatDriver.busy(size);
    chat.event({ type: 'StepDone', ...STEP, messages: [answered('Yes.')] });
    chat.printed = [];
    chat.context({
      parts: [
        { kind: 'system', count: 1, tokens: 310, estimated: 0 },
        { kind: 'tools', count: 9, tokens: 1040, estimated: 0 },
        { kind: 'mcpTools', count: 12, tokens: 2300, estimated: 0 },
        { kind: 'summary', count: 1, tokens: 450, estimated: 0 },
        { kind: 'user', count: 3, tokens: 120, estimated: 0 },
        { kind: 'folded', count: 1, tokens: 14, estimated: 14 },
        { kind: 'answers', count: 4, tokens: 900, estimated: 0 },
        { kind: 'thinking', count: 2, tokens: 610, estimated: 0 },
        { kind: 'toolCalls', count: 5, tokens: 200, estimated: 0 },
        { kind: 'toolResults', count: 5, tokens: 9400, estimated: 2100 },
      ],
      total: 15_344,
      estimated: 2114,
      leftOut: 0,
      window: 32_768,
      shortenAt: 19_661,
      compactAt: 26_214,
      queued: { inputs: 2, tokens: 40 },
    });
    return chat;
  },
  'context-cut': (size) => {
    const chat = ChatDriver.started(size);
    const results = { kind: 'toolResults', count: 7, tokens: 9600, estimated: 9600 } as const;
    const note = { kind: 'note', count: 1, tokens: 24, estimated: 24 } as const;
    const limits = { window: 12_000, learned: true, shortenAt: 7200, compactAt: 9600 };
    chat.context({ parts: [note, results], total: 9624, estimated: 9624, leftOut: 34_000, ...limits });
    return chat;
  },
  'context-unknown': (size) => {
    const chat = ChatDriver.started(size);
    chat.context({ parts: [{ kind: 'system', count: 1, tokens: 80, estimated: 80 }], total: 80, estimated: 80 });
    return chat;
  },
  'summary-retry': (size) => {
    const chat = ChatDriver.started(size);
    chat.keys('/compact<Enter>');
    const err = { kind: 'provider_rate_limit', message: 'the server asks to wait' } as const;
    chat.event({ type: 'InferenceRetrying', ...LOOP, attempt: 1, maxAttempts: 5, waitMs: 8000, err });
    chat.queued('typed meanwhile');
    chat.wait(1500);
    return chat;
  },
  summarising: (size) => {
    const chat = ChatDriver.started(size);
    chat.keys('/compact<Enter>');
    chat.wait(2000);
    return chat;
  },
};

describe.each(SIZES)('$columns × $rows', (size) => {
  test.each(Object.keys(SCENES))('%s', (name) => {
    const chat = SCENES[name]?.(size);
    if (chat) expectScreen(`${name}-${size.columns}x${size.rows}`, picture(chat));
  });
});

/** Painted lines with the names of their colours and weights: `<error>✖ </>`. */
function spelled(lines: readonly string[], theme: 'dark' | 'light'): string {
  const names = new Map(
    Object.entries(PALETTES[theme] ?? {})
      .map(([name, code]) => [code, name])
      .reverse() as [string, string][],
  );
  const word: Record<string, string> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 7: 'inverse', 9: 'struck' };
  return lines
    .map((line) =>
      line.replace(/\x1b\[([\d;]+)m/g, (_, code: string) =>
        /^(?:39|2[2-9])$/.test(code) ? '</>' : `<${word[code] ?? names.get(code)}>`,
      ),
    )
    .join('\n');
}

test.each(['tools', 'queue', 'chosen', 'gate', 'failed', 'completion', 'sessions'])(
  'colours of %s, the same on dark and on light',
  (name) => {
    const spell = (theme: 'dark' | 'light'): string => {
      const chat = SCENES[name]?.({ columns: 80, rows: 24 });
      if (!chat) return '';
      chat.chat = { ...chat.chat, settings: { ...chat.chat.settings, theme } };
      const printed = chat.printedLines.map((line) => paintLine(line, theme, { links: false }));
      return spelled([...printed, '~~~', ...chat.screen()], theme);
    };
    expect(spell('light')).toBe(spell('dark'));
    expectScreen(`colours-${name}`, spell('dark'));
  },
);

/** What a sign or a word says where there is no colour: each once. */
const WITHOUT_COLOUR: [scene: string, said: RegExp, ascii: RegExp][] = [
  ['chosen', /^❯ 1 retracting|^❯ 2 fold/m, /^> \d (?:retracting|fold)/m],
  ['chosen', /^ {2}1 retracting/m, /^ {2}1 retracting/m],
  ['queue', /^ {2}3 next turn/m, /^ {2}3 next turn/m],
  ['paused', /· paused/m, /- paused/m],
  ['gate', /^❯ 1 yes, once/m, /^> 1 yes, once/m],
  ['completion', /^❯ \/re/m, /^> \/re/m],
  ['sessions', /^❯ docs: write/m, /^> docs: write/m],
  ['tools', /^● shell /m, /^\* shell /m],
  ['tools', /^✔ read_file /m, /^\+ read_file /m],
  ['stopping', /^■ stopping/m, /^# stopping/m],
  ['failed', /^ {2}returned \(failed\)/m, /^ {2}returned \(failed\)/m],
];
test.each(WITHOUT_COLOUR)('without colour, %s says %s', (name, said, ascii) => {
  const chat = SCENES[name]?.({ columns: 80, rows: 24 });
  if (!chat) throw new Error(name);
  expect(chat.picture).toMatch(said);
  expect(chat.picture.match(new RegExp(said, 'gm'))).toHaveLength(1);
  chat.chat = { ...chat.chat, settings: { ...chat.chat.settings, ascii: true } };
  expect(chat.picture).toMatch(ascii);
});
test('without colour, what is printed of a failure and of a success says so', () => {
  const size = { columns: 80, rows: 24 };
  expect(SCENES.failed?.(size).printed.join('\n')).toMatch(/^✖ failed · /m);
  expect(SCENES.done?.(size).printed.join('\n')).toMatch(/^✔ done · /m);
  expect(SCENES.paused?.(size).printed.join('\n')).toMatch(/^■ interrupted · /m);
  expect(SCENES.shell?.(size).printed.join('\n')).toMatch(/^✖ ! npm test · error · /m);
});

test('with signs of ASCII alone nothing else is drawn by the program', () => {
  for (const scene of Object.values(SCENES)) {
    const chat = scene({ columns: 80, rows: 24 });
    chat.chat = { ...chat.chat, settings: { ...chat.chat.settings, ascii: true } };
    const drawn = layout(chat.chat, chat.now)
      .lines.join('\n')
      .replace(/[한글]/g, '');
    expect(drawn).toMatch(/^[\n\x20-\x7e]*$/);
  }
});

test('so are the rows of /context, and none is wider than the screen', () => {
  for (let columns = 20; columns < 120; columns += 7) {
    const chat = new ChatDriver({ columns, rows: 24 }, { ascii: true });
    const part = { kind: 'toolResults', count: 12, tokens: 9400, estimated: 1 } as const;
    chat.context({ parts: [part], total: 9400, estimated: 1, window: 10_000, shortenAt: 6000, compactAt: 8000 });
    expect(chat.printed.join('\n')).toMatch(/^[\n\x20-\x7e]*$/);
    for (const line of chat.printed) expect(displayWidth(line)).toBeLessThan(columns);
  }
});

test('at every size: never taller than rows − 2, never wider than columns − 1, the cursor within', () => {
  const names = fc.constantFrom(...Object.keys(SCENES).filter((name) => !OVERLAYS.includes(name)));
  fc.assert(
    fc.property(names, fc.integer({ min: 3, max: 50 }), fc.integer({ min: 20, max: 200 }), (name, rows, columns) => {
      const chat = SCENES[name]?.({ rows, columns });
      if (!chat) return;
      const { lines, cursor } = layout(chat.chat, chat.now);
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 2));
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns - 1);
      if (cursor) expect([cursor.y < lines.length, cursor.x < columns]).toEqual([true, true]);
    }),
    { numRuns: 400 },
  );
});

test('overlays fit the whole terminal', () => {
  for (let rows = 3; rows < 40; rows += 1) {
    for (const name of OVERLAYS) {
      const chat = SCENES[name]?.({ rows, columns: 50 });
      if (chat) expect(chat.screen().length).toBeLessThanOrEqual(Math.max(1, rows - 1));
    }
  }
});

test('at idle nothing wakes the screen', () => {
  expect(layout(ChatDriver.started().chat, 1_000_000).wakeAt).toBeUndefined();
  const busy = ChatDriver.busy();
  busy.wait(2300);
  expect(layout(busy.chat, busy.now).wakeAt).toBe(busy.now + 700);
});

test('a sign turns twice a second while the model is waited for, and for nobody else', () => {
  const turning = (chat: ChatDriver): ChatDriver => {
    chat.chat = { ...chat.chat, settings: { ...chat.chat.settings, spinner: true } };
    return chat;
  };
  expect(layout(turning(ChatDriver.started()).chat, 1_000_000).wakeAt).toBeUndefined();
  const busy = turning(ChatDriver.busy());
  const signs = Array.from({ length: 7 }, () => {
    expect(layout(busy.chat, busy.now).wakeAt).toBe(busy.now + 500);
    const sign = /(\S) working/.exec(busy.screen().join('\n'))?.[1];
    busy.wait(500);
    return sign;
  });
  expect(new Set(signs).size).toBe(6);
  expect(signs[6]).toBe(signs[0]);
  busy.wait(50);
  expect(layout(busy.chat, busy.now).wakeAt).toBe(busy.now + 450);
  busy.keys('Esc');
  busy.wait(10);
  expect(layout(busy.chat, busy.now).wakeAt).toBe(1_004_000);
});

test('other loops are summed up, and what they say waits until they are shown', () => {
  const chat = ChatDriver.busy();
  const other = { loopId: 'loop-2' };
  chat.event({ type: 'LoopStarted', ...other, agentName: 'helper', model: 'm' });
  chat.event({
    type: 'TurnStarted',
    ...other,
    turnId: 't2',
    cause: byUser('x'),
    turnIndex: 1,
    message: said('over there'),
  });
  expect(chat.picture).toContain('loop 1 of 2, 1 busy');
  expect(chat.printed.join('\n')).not.toContain('over there');
  chat.event({ type: 'ActiveLoopChanged', ...LOOP, previousLoopId: 'loop-1', activeLoopId: 'loop-2' });
  expect(chat.printed.slice(-3)).toEqual(['  loop 2 (helper)', '', '› over there  · started']);
});

test('the chosen row is seen at every height that has a line for it', () => {
  for (let rows = 7; rows < 30; rows += 1) {
    const chat = SCENES['chosen-streaming']?.({ rows, columns: 40 });
    for (let n = 7; n > 0; n -= 1) {
      expect(chat?.picture, `row ${n} at ${rows}`).toMatch(new RegExp(`^❯ ${n} `, 'm'));
      chat?.keys('<Up>');
    }
  }
});

test('what is left out of the queue is counted on the side where it stands', () => {
  const chat = ChatDriver.busy();
  chat.queued('one', 'two', 'three', 'four', 'five', 'six', 'seven');
  const places = () =>
    chat
      .screen()
      .map((line) => line.trim())
      .flatMap((line, i, all) =>
        line.endsWith(' more') ? [`${line.slice(2)} ${/❯/.test(all[i - 1] ?? '') || i > 4 ? 'below' : 'above'}`] : [],
      );
  expect(places()).toEqual(['+2 more below']);
  chat.keys('<Up>');
  expect(places()).toEqual(['+2 more above']);
});

test('what streams goes on under what was printed, without an empty line between', () => {
  const chat = ChatDriver.busy();
  chat.text('1. one\n2. two\n3. thr');
  expect(chat.printed.at(-1)).toBe('1. one');
  expect(chat.screen()[0]).toBe('2. two');
});
