/** Whole turns against a server that refuses what OpenAI refuses. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Answer,
  broken,
  delta,
  type FixtureServer,
  replies,
  says,
  startFixtureServer,
  streamed,
} from '../edge/models/fixture-server.ts';
import { type Piped, type Place, piped, somewhere } from './piped-chat.ts';

interface Message {
  role: string;
  content: unknown;
  tool_calls?: { id: string }[];
  tool_call_id?: string;
}

let server: FixtureServer;
let place: Place;
beforeEach(async () => {
  server = await startFixtureServer();
  place = somewhere({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-strict-0001', OPENAI_MODEL: 'm' });
});
afterEach(async () => {
  await server.close();
  expect(server.refused).toEqual([]);
});

const stdio = (input: (string | object)[], ...args: string[]) =>
  piped(place, ['stdio', '--approval', 'auto', ...args], input);
const terminals = ({ events }: Piped) =>
  events.flatMap(({ type, err }) => (/^Turn(?:Done|Failed|Interrupted)$/.test(type) ? [err?.kind ?? type] : []));
const messagesOf = (n: number): Message[] => JSON.parse(server.seen.at(n)!.body).messages;
const rolesOf = (n: number) => messagesOf(n).map(({ role }) => role);
const call = (id: unknown, args: unknown, name = 'read_file', index?: number) => ({
  ...(index !== undefined && { index }),
  id,
  type: 'function',
  function: { name, arguments: args },
});
const calls = (...list: unknown[]): Answer => streamed(delta({ tool_calls: list }), delta({}, 'tool_calls'));
const a = '{"path":"a.txt"}';

test('calls as servers really send them: the next request is one that OpenAI takes', async () => {
  writeFileSync(join(place.workspace, 'a.txt'), 'A \ud83d\ude00');
  server.answer(
    calls(call('c1', a), call('c2', '{"path":"missing"}')),
    // the same ids again, ids as numbers, none at all
    calls(call('c1', a), call(7, { path: 'a.txt' })),
    calls(call(undefined, a), call(undefined, '')),
    // arguments that are none, cut, or of another kind; names that nobody knows
    calls(call('d1', '{"path":', 'write_file', 0), call('d2', '[]', 'glob', 1), call('d3', null, 'no such tool!', 2)),
    streamed(
      delta({ tool_calls: [call('e1', '{"path":"b.txt","content":"cut', 'write_file', 0)] }),
      delta({}, 'length'),
    ),
    says('done'),
  );
  const run = await stdio(['go']);
  expect([run.code, terminals(run)]).toEqual([0, ['TurnDone']]);
  const last = messagesOf(-1);
  const asked = last.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
  const answered = last.flatMap(({ tool_call_id }) => tool_call_id ?? []);
  expect([asked.length, new Set(asked).size, answered]).toEqual([10, 10, asked]);
});

test('answers that say nothing leave nothing in the next request', async () => {
  server.answer(
    streamed(delta({ role: 'assistant' }), delta({}, 'stop')),
    says('  \n'),
    streamed(delta({ reasoning_content: 'hm' }), delta({}, 'stop')),
    replies(400, { error: { message: 'bad field' } }),
    streamed(delta({ content: 'Hel' }), { error: { code: 502, message: 'busy' } }),
    says('fine'),
  );
  const kinds: string[] = [];
  const session = await stdio(['one']);
  kinds.push(...terminals(session));
  for (const text of ['two', 'three', 'four', 'five', 'six']) kinds.push(...terminals(await stdio([text], '-c')));
  expect(kinds).toEqual([
    'empty_response',
    'empty_response',
    'TurnDone',
    'provider_refused',
    'provider_unavailable',
    'TurnDone',
  ]);
  expect(rolesOf(-1)).toEqual(['system', 'user', 'user', 'user', 'user', 'user', 'user']);
});

test('queued, folded and empty inputs stand where they may', async () => {
  server.answer(calls(call('c1', '{"path":"."}', 'list_files')), says('both'), says('the held one'), says('nothing'));
  const run = await stdio([
    'first',
    'folded',
    { type: 'UserInput', text: 'held', no_fold: true },
    { type: 'UserInput', blocks: [] },
  ]);
  expect(terminals(run)).toEqual(['TurnDone', 'TurnDone', 'TurnDone']);
  expect(rolesOf(1)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
  expect(messagesOf(-1).at(-1)?.content).toMatch(/answer what stands above/);
});

test('another provider goes on with the conversation, by its own switches', async () => {
  const image = { type: 'image', media_type: 'image/png', data: 'iVBORw0KGgo=' };
  const providers = {
    odd: {
      baseUrl: server.url,
      model: 'o',
      apiKey: 'sk-odd-0001',
      quirks: { joinUsers: true, bridgeToolToUser: true, callIds: 'nine', system: 'user', emptyContent: 'empty' },
    },
  };
  writeFileSync(place.config, JSON.stringify({ providers }), { mode: 0o600 });
  server.answer(calls(call('call_1', '{"path":"."}', 'list_files')), says('seen'), says('fine'));
  const look = { type: 'UserInput', blocks: [{ type: 'text', text: 'look' }, image] };
  expect(terminals(await stdio([look]))).toEqual(['TurnDone']);
  const run = await stdio(['and now'], '-c', '-p', 'odd');
  expect(terminals(run)).toEqual(['TurnDone']);
  expect(run.events.find(({ type }) => type === 'ModelChanged')).toMatchObject({ provider: 'odd', model: 'o' });
  expect(server.seen.at(-1)!.headers.authorization).toBe('Bearer sk-odd-0001');
  expect(rolesOf(-1)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  expect(messagesOf(-1)[2]?.tool_call_id).toMatch(/^[0-9a-z]{9}$/i);
});

test('a call that the connection cut leaves nothing half done behind it', async () => {
  server.answer(broken(delta({ tool_calls: [call('c1', '{"pa', 'read_file', 0)] })), says('fine'));
  expect(terminals(await stdio(['go']))).toEqual(['provider_unavailable']);
  expect(terminals(await stdio(['again'], '-c'))).toEqual(['TurnDone']);
  expect(rolesOf(-1)).toEqual(['system', 'user', 'user']);
});
