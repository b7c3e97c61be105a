/** What must hold of a session whose process was killed: looked at in the file, then by a new process that goes on. */
import { expect } from 'vitest';
import { auditFile } from '../../src/edge/journal/audit.ts';
import { type Chat, contentOf, type SeenRequest, type Submit, type WireCommand, type World } from '../support/kit.ts';
import {
  committed,
  inputsOf,
  isRecovered,
  readLedger,
  resolutions,
  textOf,
  unresolved,
  type WireRecord,
} from './ledger.ts';

const AFTER = 'after the crash';

/** Restores the session in a new process on a model server of its own, lets the queue go on, and proves the whole. */
export async function surviveCrash(world: World, sessionId: string): Promise<void> {
  const file = world.journal(sessionId);
  const { records, whole } = readLedger(file);
  wasSavedBeforeSeen(records, world.chats);
  const model = await world.kit.startModelServer();
  try {
    const chat = world.chat({ model, args: ['--resume', sessionId] });
    const recovered = await restoredQueue(chat, records);
    await nothingBegins(chat, model.requests);
    chat.send({ type: 'ResumeQueue', agency: 'user' });
    chat.submit(AFTER);
    expect(await chat.close()).toEqual({ code: 0, signal: null });
    const sent = [...recovered.map(textOf), AFTER];
    expect(newest(model.requests).sort()).toEqual(sent.sort());
    expect(newest(world.model.requests)).toEqual([...new Set(newest(world.model.requests))]);
    remembersWhatWasCommitted(records, model.requests);
    const submits = [...recovered.map(asSubmit), ...chat.submits];
    const { deliveries, strayLines } = chat;
    expect(world.kit.violations({ deliveries, submits, strayLines, requests: model.requests })).toEqual([]);
  } finally {
    await model.close();
  }
  const after = readLedger(file);
  expect(after.whole.startsWith(whole)).toBe(true);
  expect(after.torn).toBe('');
  for (const [id, found] of resolutions(after.records)) expect([id, found.length]).toEqual([id, 1]);
  // what the command `audit` reads; a process for each death would cost more than it shows
  expect(await auditFile(file)).toMatchObject({ ok: { stopped: true, open: [] } });
}

/** Every enduring event that a client saw stands in the file as it was seen, and so does every input that was answered. */
function wasSavedBeforeSeen(records: readonly WireRecord[], chats: readonly Chat[]): void {
  const accepted = new Set(inputsOf(records).map(({ command_id }) => command_id));
  for (const { deliveries, strayLines } of chats) {
    expect(strayLines).toEqual([]);
    for (const { journal_seq, event } of deliveries) {
      if (journal_seq > 0) expect(records[journal_seq - 1]).toEqual({ seq: journal_seq, event });
      if (event.type === 'InputQueued') expect(accepted).toContain(event.cause?.command_id);
    }
  }
}

/** Of the unresolved inputs those of people are in the queue again, in order; the others are returned. */
async function restoredQueue(chat: Chat, records: readonly WireRecord[]): Promise<WireCommand[]> {
  await chat.until('RestoreDone');
  const open = unresolved(records);
  const recovered = open.filter((input) => isRecovered(records, input));
  for (const { command_id } of recovered) await chat.untilReply(command_id, 'InputQueued');
  const returned = open.filter((input) => !recovered.includes(input)).map(({ command_id }) => command_id);
  const cancelled = chat.events('InputCancelled').map(({ cause }) => cause?.command_id);
  expect(cancelled.sort()).toEqual(returned.sort());
  return chat
    .events('InputQueued')
    .map(({ cause }) => recovered.find(({ command_id }) => command_id === cause?.command_id) as WireCommand);
}

/** A later command was carried out, and still no Turn was started and no request sent. */
async function nothingBegins(chat: Chat, requests: readonly SeenRequest[]): Promise<void> {
  const from = chat.deliveries.length;
  chat.send({ type: 'RenameSession', agency: 'user', name: 'restored' });
  await chat.until('SessionRenamed', { from });
  expect(chat.events('TurnStarted')).toEqual([]);
  expect(requests).toHaveLength(0);
}

/** The input that each request answers: the last message, where that is of a user. */
const newest = (requests: readonly SeenRequest[]): string[] =>
  requests.flatMap(({ body }) => {
    const last = body.messages.at(-1);
    return last?.role === 'user' ? [contentOf(last)] : [];
  });

/** What the file says was committed in a loop is what the requests of that loop begin with. */
function remembersWhatWasCommitted(records: readonly WireRecord[], requests: readonly SeenRequest[]): void {
  const histories = committed(records);
  for (const { body } of requests) {
    const spoken = body.messages.filter(({ role }) => role === 'user' || role === 'assistant');
    const asked = spoken.map((message) => `${message.role}: ${contentOf(message)}`);
    const known = histories.some((history) => history.every((line, i) => asked[i] === line));
    expect(known, `a request that does not begin with a committed history: ${asked.join(' | ')}`).toBe(true);
  }
}

const asSubmit = ({ command_id, blocks = [], no_fold = false, agency, loop_id }: WireCommand): Submit => ({
  command_id,
  blocks,
  no_fold,
  agency,
  loop_id,
});
