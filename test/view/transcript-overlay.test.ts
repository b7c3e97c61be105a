import { beforeEach, describe, expect, it, test } from 'vitest';
import type { EventBody } from '../../src/domain/event.ts';
import type { KeyInput } from '../../src/domain/terminal-input.ts';
import { layout } from '../../src/view/screen.ts';
import { readInto } from '../../src/view/transcript-overlay.ts';
import { update } from '../../src/view/update.ts';
import { ChatDriver, LOOP, said, USAGE } from '../support/chat-driver.ts';
import { stamped } from '../support/fake-session.ts';

const CTRL_T: KeyInput = { type: 'key', name: 't', ctrl: true, alt: false, shift: false };
const key = (name: string): KeyInput => ({ type: 'key', name, ctrl: false, alt: false, shift: false });

/** One turn with thoughts, a call, its output and an answer. */
function turn(n: number, answer = `answer ${n} with **bold** words`): EventBody[] {
  const of = { ...LOOP, turnId: `turn-${n}` };
  const cause = { commandId: `command-${n}`, agency: 'user' as const };
  const call = { type: 'tool_use' as const, id: `call-${n}`, name: 'shell', input: { command: `echo ${n}` } };
  return [
    { type: 'TurnStarted', ...of, cause, turnIndex: n, message: said(`question ${n}`) },
    {
      type: 'StepDone',
      ...of,
      stepId: `step-${n}`,
      messages: [
        { role: 'assistant', blocks: [{ type: 'thinking', text: `thought ${n}` }, call], usage: USAGE },
        {
          role: 'tool',
          blocks: [{ type: 'tool_result', toolUseId: call.id, content: [{ type: 'text', text: `out\t${n}\nmore` }] }],
        },
      ],
    },
    {
      type: 'StepDone',
      ...of,
      stepId: `step-${n}b`,
      messages: [{ role: 'assistant', blocks: [{ type: 'text', text: answer }], usage: USAGE }],
    },
    {
      type: 'TurnDone',
      ...of,
      turnIndex: n,
      message: { role: 'assistant', blocks: [{ type: 'text', text: answer }], usage: USAGE },
      usage: USAGE,
    },
  ];
}

let chat: ChatDriver;
let seq = 0;
beforeEach(() => {
  chat = ChatDriver.started({ rows: 14, columns: 60 });
  seq = 0;
});
const press = (input: KeyInput): void => {
  const step = update(chat.chat, input, { now: chat.now, id: 'command-x' });
  chat.chat = step.chat;
  chat.intents.push(...step.intents);
};
const read = (events: EventBody[], more = false): void => {
  const deliveries = events.map((event) => ({ event: stamped(event), journalSeq: ++seq }));
  chat.chat = readInto(chat.chat, deliveries, more);
};
const open = (turns: EventBody[][]): void => {
  press(CTRL_T);
  read(turns.flat());
};
const many = (count: number): EventBody[][] => Array.from({ length: count }, (_, i) => turn(i + 1));
const foot = (): string => chat.screen().at(-1) ?? '';
const copied = (): string[] =>
  chat.intents.flatMap((intent) =>
    intent.type === 'Errand' && intent.errand.type === 'Copy' ? [intent.errand.text] : [],
  );

describe('what it shows', () => {
  it('asks for the journal, and shows all of a turn, unfolded', () => {
    press(CTRL_T);
    expect(chat.intents).toContainEqual({ type: 'Errand', errand: { type: 'ReadTranscript' } });
    expect(foot()).toContain('reading');
    read(turn(1));
    expect(chat.screen().slice(0, -1)).toEqual([
      '',
      '› question 1',
      '',
      '  thought 1',
      '',
      '● shell',
      '    command: echo 1',
      '    out 1',
      '    more',
      '',
      'answer 1 with bold words',
      '✔ done · 1200 tokens in, 34 out',
    ]);
    expect(foot()).toContain('turn 1 of 1');
  });

  it('is as high as the screen allows, for every size, with its foot last', () => {
    open(many(5));
    for (const rows of [3, 4, 10, 50])
      for (const columns of [20, 41, 120]) {
        chat.chat = { ...chat.chat, size: { rows, columns } };
        const screen = layout(chat.chat, chat.now);
        expect(screen.lines.length).toBe(rows - 1);
        expect(Math.max(...screen.widths)).toBeLessThan(columns);
        expect(foot()).toContain('turn 5 of 5');
      }
  });

  it('parts what goes along with an input from what was written', () => {
    const [started, ...rest] = turn(1);
    const blocks = ['[attached output of `echo hi`]\nhi', 'look at @a.txt', '[attached file a.txt]\none\n'].map(
      (text) => ({ type: 'text' as const, text }),
    );
    open([[{ ...started, message: { role: 'user', blocks } } as EventBody, ...rest]]);
    press(key('home'));
    expect(chat.screen().slice(1, 7)).toEqual([
      '› [attached output of `echo hi`]',
      '  hi',
      '  look at @a.txt',
      '  [attached file a.txt]',
      '  one',
      '',
    ]);
  });

  it('shows an empty session as such', () => {
    open([]);
    expect(foot()).toContain('nothing was said yet');
  });

  it('takes no control sequence of anybody to the screen', () => {
    open([turn(1, 'a \x1b]52;c;x\x07 \x9b31m b')]);
    chat.keys('r');
    expect(chat.picture).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  });

  it('shows another loop nothing of this one, and no event twice', () => {
    open([turn(1)]);
    const before = chat.picture;
    const cause = { commandId: 'c', agency: 'user' as const };
    read([{ type: 'TurnStarted', loopId: 'loop-2', turnId: 't', cause, turnIndex: 0, message: said('elsewhere') }]);
    const [again] = turn(1);
    chat.event(again as EventBody);
    expect(chat.picture).toBe(before);
  });

  it('a part of a long output costs a part: a megabyte is shown by its end', () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i} ${'x'.repeat(50)}`).join('\n');
    const [started, called, ...rest] = turn(1);
    const step = called as Extract<EventBody, { type: 'StepDone' }>;
    const [message] = step.messages;
    const result = {
      type: 'tool_result' as const,
      toolUseId: 'call-1',
      content: [{ type: 'text' as const, text: lines }],
    };
    const began = performance.now();
    open([[started as EventBody, { ...step, messages: [message, { role: 'tool', blocks: [result] }] }, ...rest]]);
    expect(chat.picture).toContain('line 19999');
    expect(performance.now() - began).toBeLessThan(400);
    press(key('home'));
    expect(chat.picture).toContain('line 0\n');
  });
});

describe('moving', () => {
  it('opens at the end, goes to the start and back, by lines and pages', () => {
    open(many(30));
    expect(chat.picture).toContain('answer 30');
    press(key('home'));
    expect(chat.screen()[1]).toBe('› question 1');
    press(key('down'));
    expect(chat.screen()[0]).toBe('› question 1');
    press(key('pagedown'));
    press(key('pageup'));
    expect(chat.screen()[0]).toBe('› question 1');
    press(key('up'));
    press(key('up'));
    expect(chat.screen()[1]).toBe('› question 1');
    press(key('end'));
    expect(chat.picture).toContain('answer 30');
  });

  it('pages through everything without leaving a line out', () => {
    open(many(12));
    press(key('home'));
    const seen: string[] = [];
    for (let i = 0; i < 40; i += 1) {
      seen.push(...chat.screen().slice(0, -1));
      press(key('pagedown'));
    }
    for (let n = 1; n <= 12; n += 1) expect(seen).toContain(`answer ${n} with bold words`);
  });

  it('jumps between turns', () => {
    open(many(30));
    press(key('home'));
    for (const expected of [2, 3, 4]) {
      chat.keys(']');
      expect(chat.screen()[0]).toBe(`› question ${expected}`);
    }
    press(key('down'));
    chat.keys('[');
    expect(chat.screen()[0]).toBe('› question 4');
    chat.keys('[');
    expect(chat.screen()[0]).toBe('› question 3');
  });

  it('stays at the end as more is committed, and where it is when it is elsewhere', () => {
    open(many(5));
    const step = (n: number) => {
      for (const event of turn(n)) {
        seq += 1;
        chat.event(event);
      }
    };
    // the driver's own numbers must be later than those that were read
    for (let i = 0; i < 40; i += 1) chat.event({ type: 'LoopIdle', ...LOOP });
    step(6);
    expect(chat.picture).toContain('answer 6');
    press(key('home'));
    step(7);
    expect(chat.screen()[1]).toBe('› question 1');
  });
});

describe('searching', () => {
  it('finds as it is typed, marks, goes on and round', () => {
    open(many(30));
    chat.keys('/ANSWER 1');
    expect(foot()).toContain('/ANSWER 1');
    expect(chat.picture).toContain('answer 19');
    chat.keys('<Enter>');
    chat.keys('N');
    expect(chat.picture).toContain('answer 18');
    chat.keys('n');
    chat.keys('n');
    expect(foot()).toContain('from the start again');
    expect(chat.picture).toContain('answer 1 ');
  });

  it('finds words across marks of emphasis and breaks of lines', () => {
    open([turn(1, 'some **very\nbold** claim'), ...many(20).slice(1)]);
    chat.keys('/very bold claim');
    expect(chat.picture).toContain('bold claim');
  });

  it('says where nothing is found; Esc leaves the search first, then the transcript', () => {
    open(many(30));
    press(key('home'));
    chat.keys('/nowhere');
    expect(foot()).toContain('nothing found');
    chat.keys('<Esc>');
    expect(chat.screen()[1]).toBe('› question 1');
    expect(chat.chat.overlay).toBeDefined();
    chat.keys('<Esc>');
    expect(chat.chat.overlay).toBeUndefined();
  });

  it('takes keys that mean something else, pastes and backspaces as letters', () => {
    open(many(3));
    chat.keys('/nrcqx<Backspace>');
    chat.paste('C [');
    expect(foot()).toContain('/nrcqC [');
    expect(copied()).toEqual([]);
  });
});

describe('copying', () => {
  it('takes the answer as it was written, without what could drive a terminal', () => {
    open([turn(1, 'a **b**\n\tc\x1b[2J')]);
    chat.keys('c');
    expect(copied()).toEqual(['a **b**\n\tc[2J']);
    expect(foot()).toContain('clipboard');
  });

  it('takes the code blocks of the page, one after another', () => {
    open([turn(1, 'x\n```js\nlet a;\n\n\tlet b;\n```\n- item\n  ~~~\n  c\n   d\n  ~~~\n> ```\n> e\n> ```\n')]);
    chat.chat = { ...chat.chat, size: { rows: 40, columns: 60 } };
    chat.keys('CCCC');
    expect(copied()).toEqual(['let a;\n\n\tlet b;', 'c\n d', 'e', 'let a;\n\n\tlet b;']);
  });

  it('says where there is none, and does not send what no terminal takes', () => {
    open([turn(1, 'x'.repeat(200_000))]);
    chat.keys('c');
    expect(foot()).toContain('too long');
    chat.keys('C');
    expect(foot()).toContain('no code');
    expect(copied()).toEqual([]);
  });
});

test('r shows answers as they were written; q, Ctrl+C and Ctrl+T close it', () => {
  for (const close of ['q', '<Ctrl+C>', CTRL_T] as const) {
    open([turn(1)]);
    expect(chat.picture).toContain('with bold words');
    chat.keys('r');
    expect(chat.picture).toContain('with **bold** words');
    if (typeof close === 'string') chat.keys(close);
    else press(close);
    expect(chat.chat.overlay).toBeUndefined();
  }
});

test('/transcript opens it as well', () => {
  chat.keys('/transcript<Enter>');
  expect(chat.chat.overlay?.kind).toBe('transcript');
});

test('a picture of 5,000 turns costs a page', () => {
  open(many(5000));
  press(key('home'));
  const began = performance.now();
  for (let i = 0; i < 50; i += 1) {
    press(key('pagedown'));
    chat.screen();
  }
  expect((performance.now() - began) / 50).toBeLessThan(10);
});
