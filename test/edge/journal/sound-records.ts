/** Small sound journals for tests. */
import type { JournaledCommand, UserInput } from '../../../src/domain/command.ts';
import type { EventBody, EventStamp } from '../../../src/domain/event.ts';
import type { JournalRecord } from '../../../src/runtime/ports.ts';

export const user = (text: string) => ({ role: 'user' as const, blocks: [{ type: 'text' as const, text }] });

/** Builds records one after the other; sequence numbers, stamps and the common ids are filled in. */
export class Journaling {
  readonly records: JournalRecord[] = [];
  sessionId = 'session';
  loopId = 'loop';

  get seq(): number {
    return this.records.length + 1;
  }

  event<B extends EventBody>(body: B, stamp: Partial<EventStamp> = {}): this {
    const event = {
      v: 1 as const,
      sessionId: this.sessionId,
      eventId: `event-${this.seq}`,
      createdAt: new Date(1.7e12 + this.seq * 1000).toISOString(),
      ...stamp,
      ...body,
    };
    this.records.push({ seq: this.seq, event });
    return this;
  }

  command(command: JournaledCommand): this {
    this.records.push({ seq: this.seq, command });
    return this;
  }

  input(commandId: string, more: Partial<UserInput> = {}): this {
    const blocks = more.blocks ?? user(commandId).blocks;
    return this.command({ type: 'UserInput', commandId, agency: 'user', ...more, blocks });
  }

  /** The first records of a session. */
  start(cwd = '/work', model = 'scripted'): this {
    return this.event({ type: 'SessionStarted', model, provider: 'openai', cwd, appVersion: '0' }).event({
      type: 'LoopStarted',
      loopId: this.loopId,
      agentName: 'main',
      model,
    });
  }

  /** A turn with one answer, from its input to its terminal. */
  turn(turnIndex: number, text = `question ${turnIndex}`, answer = `answer ${turnIndex}`): this {
    const at = { loopId: this.loopId, turnId: `turn-${turnIndex}` };
    const message = { role: 'assistant' as const, blocks: [{ type: 'text' as const, text: answer }] };
    const usage = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };
    const commandId = `input-${turnIndex}`;
    return this.input(commandId, { blocks: user(text).blocks })
      .event({ type: 'TurnStarted', ...at, cause: { commandId, agency: 'user' }, turnIndex, message: user(text) })
      .event({ type: 'StepDone', ...at, stepId: `step-${turnIndex}`, messages: [message] })
      .event({ type: 'TurnDone', ...at, turnIndex, message, usage });
  }
}

/** Records 1 to `count`: a start and then turns. */
export function soundRecords(count: number): JournalRecord[] {
  const journal = new Journaling().start();
  for (let turn = 1; journal.records.length < count; turn += 1) journal.turn(turn);
  return journal.records.slice(0, count);
}
