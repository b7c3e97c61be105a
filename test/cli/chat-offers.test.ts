import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OfferFile } from '../../src/cli/chat-offers.ts';
import { byUser, ChatDriver, said, TURN } from '../support/chat-driver.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'offers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => new OfferFile(join(folder, 's1.json'));

function withReturned(): ChatDriver {
  const chat = ChatDriver.busy();
  for (const text of ['a', 'b']) {
    const [id = ''] = chat.queued(text);
    const cause = byUser(id);
    chat.event({ type: 'InputCancelled', ...TURN, cause, turnIndex: 1, reason: 'turn_failed', message: said(text) });
  }
  return chat;
}

test('where nothing ever came back there is no file', async () => {
  await file().save(ChatDriver.busy().chat, 7);
  expect(readdirSync(folder)).toEqual([]);
  expect(await file().load()).toBeUndefined();
});

test('what was dropped is gone, also where nothing is left', async () => {
  const chat = withReturned();
  chat.keys('<Up>d<Esc>');
  await file().save(chat.chat, 9);
  expect(await file().load()).toMatchObject({ upTo: 9, rows: [{ loopId: 'loop-1' }] });
  chat.keys('<Up>d<Esc>');
  await file().save(chat.chat, 10);
  expect(await file().load()).toEqual({ upTo: 10, rows: [] });
});

test('a file that is known is kept up to date by the next run', async () => {
  await file().save(withReturned().chat, 9);
  const next = file();
  await next.load();
  await next.save(ChatDriver.started().chat, 12);
  expect(await file().load()).toEqual({ upTo: 12, rows: [] });
});

test('of a rejected input the text is kept: no journal has it', async () => {
  const chat = ChatDriver.busy();
  chat.keys('too much<Enter>');
  const id = chat.rows[0]?.commandId ?? '';
  chat.keys('a draft');
  chat.event({ type: 'TurnRejected', ...TURN, cause: byUser(id), reason: 'queue_full' });
  await file().save(chat.chat, 5);
  expect((await file().load())?.rows).toEqual([{ loopId: 'loop-1', commandId: id, blocks: said('too much').blocks }]);
});
