/** The chat under Ink, with a session whose events are delivered by hand. */
import { cleanup, render } from 'ink-testing-library';
import { afterEach, expect, test, vi } from 'vitest';
import type { EventBody } from '../../src/domain/event.ts';
import { App, PictureCell } from '../../src/ui/app.tsx';
import { ChatStore } from '../../src/ui/store.ts';
import { newChat } from '../../src/view/chat.ts';
import { foldSnapshot } from '../../src/view/fold.ts';
import { byUser, LOOP, PLAIN, STEP, said, TURN } from '../support/chat-driver.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { FakeSession } from '../support/fake-session.ts';

afterEach(cleanup);

function opened() {
  const session = new FakeSession();
  const clock = fakeClock(1_000_000);
  const remembered: string[] = [];
  let ids = 0;
  let quits = 0;
  const chat = foldSnapshot(newChat(PLAIN, { rows: 24, columns: 80 }), session.snapshot());
  const store = new ChatStore(chat, {
    session,
    clock,
    newId: () => `command-${++ids}`,
    remember: (text) => remembered.push(text),
    editOutside: () => Promise.resolve('from the editor\n'),
    call: () => {},
    suspend: () => {},
    errand: () => {},
    attach: () => Promise.resolve({ blocks: [] }),
    edited: () => {},
    quit: () => {
      quits += 1;
    },
  });
  const cell = new PictureCell(store.screen());
  const above: string[] = [];
  let frames = 0;
  const type = (text: string) => {
    for (const name of text)
      store.input(
        name === '\r'
          ? { type: 'key', name: 'enter', ctrl: false, alt: false, shift: false }
          : { type: 'key', name, text: name, ctrl: false, alt: false, shift: false },
      );
    clock.advance(10);
  };
  const app = render(<App cell={cell} ready={() => {}} />);
  store.attach({
    draw: (screen, printed) => {
      frames += 1;
      if (printed) above.push(printed);
      cell.set(screen);
    },
    redraw: () => {},
    clear: () => {},
  });
  const deliver = (body: EventBody) => {
    store.deliver(session.deliver(body));
    clock.advance(60);
  };
  return { app, session, store, clock, above, deliver, type, remembered, frames: () => frames, quits: () => quits };
}

const shows = (app: ReturnType<typeof opened>['app'], text: string) =>
  vi.waitFor(() => expect(app.lastFrame()).toContain(text));

test('opens with the prompt', async () => {
  const { app } = opened();
  await shows(app, 'Type a message');
});

test('keys are typed and sent; the session hears of it', () => {
  const { type, session, remembered } = opened();
  type('hello\r');
  expect(session.executed[0]).toMatchObject({ type: 'UserInput', blocks: said('hello').blocks });
  expect(remembered[0]).toBe('hello');
});

test('finished lines go above, the tail is drawn, deltas of one frame are folded once', async () => {
  const { app, store, session, clock, above, deliver, frames } = opened();
  deliver({ type: 'TurnStarted', ...TURN, cause: byUser('a'), turnIndex: 1, message: said('go') });
  const before = frames();
  for (let i = 0; i < 50; i += 1)
    store.deliver(
      session.deliver({
        type: 'TokenDelta',
        ...STEP,
        turnIndex: 1,
        chunk: { type: 'text', text: i === 10 ? 'end\n\n' : 'w ' },
      }),
    );
  clock.advance(60);
  expect(frames() - before).toBe(1);
  await shows(app, 'w w w');
  expect(above.join('')).toContain('w w w w w w w w w w end\n');
});

test('while nothing happens nothing is drawn', () => {
  const { clock, frames } = opened();
  const before = frames();
  clock.advance(3_600_000);
  expect(frames()).toBe(before);
});

test('lines that commit under an overlay are printed when it closes', () => {
  const { store, above, deliver, type } = opened();
  deliver({ type: 'TurnStarted', ...TURN, cause: byUser('a'), turnIndex: 1, message: said('go') });
  type('?');
  const before = above.length;
  deliver({ type: 'TurnInterrupted', ...TURN, turnIndex: 1 });
  expect(above.length).toBe(before);
  type('q');
  expect(store.chat.overlay).toBeUndefined();
  expect(above.slice(before).join('')).toContain('interrupted');
});

test('an unknown queued input is looked up in the session', () => {
  const { store, session, deliver } = opened();
  session.snapshotQueue = [{ commandId: 'm', agency: 'machine', noFold: true, blocks: said('from a hook').blocks }];
  deliver({ type: 'InputQueued', ...LOOP, cause: { commandId: 'm', agency: 'machine' } });
  expect(store.chat.view.loops[0]?.queue.rows[0]).toMatchObject({ noFold: true, blocks: said('from a hook').blocks });
});

test('a journaled event is taken once', () => {
  const { store, session, above } = opened();
  const delivery = session.deliver({
    type: 'TurnStarted',
    ...TURN,
    cause: byUser('a'),
    turnIndex: 1,
    message: said('go'),
  });
  store.deliver(delivery);
  store.deliver(delivery);
  store.close();
  expect(above.join('').match(/› go/g)).toHaveLength(1);
});
