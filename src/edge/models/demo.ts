/** The built-in model: needs no network, and says of itself that it is a demo (contract: With nothing configured). */
import { ProviderError } from '../../domain/failure.ts';
import type { Clock, Model, ModelEvent } from '../../runtime/ports.ts';
import { demoReply } from './demo-script.ts';
import { pause, throwIfAborted } from './pause.ts';

const FIRST_PAUSE_MS = 120;
const PACES_MS = [15, 22, 18, 25, 20];
/** Long enough to queue something that the failure returns. */
const BEFORE_FAILURE_MS = 2500;
const STALL_MS = 60_000;
/** About what a token is, for a usage that looks like one. */
const CHARACTERS_A_TOKEN = 4;

const tokens = (text: string): number => Math.ceil(text.length / CHARACTERS_A_TOKEN);
/** A word and the space before it, a chunk. */
const pieces = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];

export function createDemoModel({
  clock,
  stallTimeoutMs = STALL_MS,
}: {
  clock: Clock;
  stallTimeoutMs?: number;
}): Model {
  return {
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      throwIfAborted(signal);
      const reply = demoReply(request);
      await pause(clock, FIRST_PAUSE_MS, signal);
      const said = pieces(reply.text);
      for (const [n, text] of said.entries()) {
        yield { type: 'chunk', chunk: { type: 'text', text } };
        throwIfAborted(signal);
        await pause(clock, PACES_MS[n % PACES_MS.length]!, signal);
      }
      if (reply.do === 'fail') {
        await pause(clock, BEFORE_FAILURE_MS, signal);
        throw new ProviderError(
          'provider_unavailable',
          'The demo model fails, as you asked. Try /retry, or ask something else.',
        );
      }
      if (reply.do === 'stall') {
        await pause(clock, stallTimeoutMs, signal);
        throw new ProviderError(
          'provider_stalled',
          `The demo model sent nothing more for ${stallTimeoutMs / 1000} s, as you asked.`,
        );
      }
      let written = reply.text;
      for (const [index, { name, input }] of (reply.do === 'call' ? reply.calls : []).entries()) {
        const inputJson = JSON.stringify(input);
        written += inputJson;
        // the step runner gives ids to calls that have none
        yield { type: 'chunk', chunk: { type: 'tool_use', index, id: '', name, inputJson } };
        throwIfAborted(signal);
        await pause(clock, PACES_MS[index % PACES_MS.length]!, signal);
      }
      const inputTokens = tokens(request.system + JSON.stringify(request.messages));
      const usage = {
        inputTokens,
        outputTokens: tokens(written),
        reasoningTokens: 0,
        cacheReadTokens: 0,
        cacheCreationTokens: 0,
      };
      yield { type: 'usage', usage };
      throwIfAborted(signal);
      yield { type: 'end', finish: reply.do === 'call' ? 'tool_calls' : 'stop' };
    },
  };
}
