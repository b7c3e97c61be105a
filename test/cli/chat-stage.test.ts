import { describe, expect, it } from 'vitest';
import { lastWords, type Stage } from '../../src/cli/chat-stage.ts';
import type { ModelChoice } from '../../src/edge/settings/endpoint.ts';
import type { Origin } from '../../src/edge/settings/sources.ts';
import type { Chat } from '../../src/view/chat.ts';
import { ChatDriver } from '../support/chat-driver.ts';

const OPTION: Origin = { from: 'option', name: '--an-option' };
const DEFAULT: Origin = { from: 'default', name: 'default' };
const URL_OF = 'http://127.0.0.1:8080/v1';

/** What the shell is left with after a session whose loop asks `fake-model` of `fake`. */
function said(choice: Partial<ModelChoice>, origins: Partial<ModelChoice['origins']>, cwd = '/work'): string {
  const chosen: ModelChoice = {
    ...{ provider: 'fake', model: 'fake-model', keyName: '', headers: {}, quirks: {}, ...choice },
    origins: { provider: DEFAULT, model: DEFAULT, ...origins },
  };
  const live = { session: { id: 'session-1' }, loaded: { choice: chosen } };
  const { chat } = ChatDriver.started();
  const there: Chat = { ...chat, view: { ...chat.view, cwd } };
  return lastWords({ lastSeq: 3, live } as unknown as Stage, there, '/work');
}

describe('how a session is found again', () => {
  it('by -c in its folder, by its id elsewhere', () => {
    expect(said({}, {})).toBe('harness-chat -c goes on with this session\n');
    expect(said({}, {}, '/other')).toBe('harness-chat -r session-1 goes on with this session\n');
  });

  it('with the options that say where its model is', () => {
    expect(said({ baseUrl: URL_OF }, { baseUrl: OPTION, model: OPTION })).toBe(
      `harness-chat -c --base-url ${URL_OF} --model fake-model goes on with this session\n`,
    );
    expect(said({}, { provider: OPTION })).toBe('harness-chat -c -p fake goes on with this session\n');
  });

  it('as a shell reads them', () => {
    expect(said({ baseUrl: "http://host/a'b&c" }, { baseUrl: OPTION })).toBe(
      "harness-chat -c --base-url 'http://host/a'\\''b&c' goes on with this session\n",
    );
  });

  it('but for a provider that was chosen in the chat: the journal knows that one', () => {
    const origins = { provider: OPTION, model: OPTION, baseUrl: OPTION };
    expect(said({ provider: 'openai', baseUrl: URL_OF }, origins)).toBe('harness-chat -c goes on with this session\n');
  });
});
