/** The Session that runs: commands in, deliveries out, and the Turns between. */
import type { Command } from '../domain/command.ts';
import type { InputBlock } from '../domain/content.ts';
import type { Delivery } from '../domain/event.ts';
import { JournalError } from '../domain/failure.ts';
import {
  type CommandId,
  type LoopId,
  MAX_COMMAND_ID_LENGTH,
  type SessionId,
  type ToolExecutionId,
} from '../domain/identity.ts';
import type { SessionState } from '../loop/state.ts';
import type { Effect } from '../loop/transition.ts';
import { Actor } from './actor.ts';
import { answerOf } from './answer.ts';
import { ContextBudget } from './context-budget.ts';
import { Hub } from './hub.ts';
import { LiveTurns } from './live-turns.ts';
import { loopContext } from './loop-context.ts';
import type { JournalRecord } from './ports.ts';
import { writeRule } from './rule-writing.ts';
import type {
  Answer,
  ApprovalMode,
  EventFilter,
  LoopContext,
  Session,
  SessionSnapshot,
  SubmitOptions,
  Subscription,
} from './session.ts';
import type { SessionParts } from './session-parts.ts';
import { snapshotOf } from './snapshot.ts';
import { stampFor } from './stamp.ts';
import type { BufferLimit } from './subscription.ts';

export class LiveSession implements Session {
  readonly id: SessionId;
  readonly ended: Promise<Error | undefined>;
  readonly #parts: SessionParts;
  readonly #hub = new Hub();
  readonly #actor: Actor;
  readonly #turns: LiveTurns;
  readonly #budget: ContextBudget;
  readonly #commandIds: Set<CommandId>;
  /** Gates whose answer is being put down as a rule. */
  readonly #answering = new Set<ToolExecutionId>();
  #approval: ApprovalMode;
  #fault: Error | undefined;
  #end: (error: Error | undefined) => void = () => undefined;

  constructor(parts: SessionParts, initial: SessionState) {
    this.id = parts.sessionId;
    this.#parts = parts;
    this.#approval = parts.approval;
    const { beginning } = parts;
    this.#commandIds = new Set(beginning.type === 'restored' ? beginning.commandIds : []);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const stamp = stampFor(parts);
    const budget = new ContextBudget(parts.factsOf ?? (() => ({})));
    this.#budget = budget;
    this.#actor = new Actor({
      state: beginning.type === 'new' ? initial : beginning.state,
      seq: beginning.type === 'new' ? 0 : beginning.seq,
      journal: parts.journal,
      rules: { ...parts.rules, limitsOf: (loop) => budget.limits(loop) },
      stamp,
      deliver: (event, journalSeq) => this.#hub.publish({ event, journalSeq }),
      perform: (effect) => this.#perform(effect),
      watchAppend: (records) => this.#watchAppend(records),
      fault: (cause) => this.#faulted(cause),
    });
    this.#turns = new LiveTurns({
      ...parts,
      budget,
      usedToolUseIds: beginning.type === 'new' ? new Map() : beginning.toolUseIds,
      approval: () => this.#approval,
      state: () => this.#actor.state,
      post: (input) => this.#actor.post(input),
      publish: (event) => this.#hub.publish({ event: stamp(event), journalSeq: 0 }),
    });
  }

  async begin(): Promise<Error | undefined> {
    const { beginning, adopt } = this.#parts;
    const posted: Promise<unknown>[] = [];
    if (beginning.type === 'forked') for (const delivery of beginning.opening) this.#hub.publish(delivery);
    else posted.push(this.#actor.post(beginning.type === 'new' ? beginning.input : { type: 'restore' }));
    const command: Command = {
      type: 'SetModel',
      commandId: this.#parts.newId(),
      agency: 'user',
      ...adopt,
      model: adopt?.model ?? '',
    };
    if (adopt) posted.push(this.#actor.post({ type: 'command', command }));
    await Promise.all(posted);
    return this.#fault;
  }

  async submit(blocks: InputBlock[], options: SubmitOptions = {}): Promise<CommandId> {
    const { noFold, loopId, agency = 'user', commandId = this.#parts.newId(), signal } = options;
    signal?.throwIfAborted();
    const command: Command = {
      type: 'UserInput',
      commandId,
      agency,
      blocks,
      ...(noFold && { noFold }),
      ...(loopId && { loopId }),
    };
    const answer = await this.execute(command);
    if (!answer.ok) throw new Error(answer.message, { cause: this.#fault });
    return commandId;
  }

  cancelQueuedInput(targetCommandId: CommandId): void {
    const commandId = this.#parts.newId();
    void this.execute({ type: 'CancelQueuedInput', commandId, agency: 'user', targetCommandId });
  }

  async interrupt(loopId?: LoopId): Promise<boolean> {
    const commandId = this.#parts.newId();
    const answer = await this.execute({ type: 'Interrupt', commandId, agency: 'user', ...(loopId && { loopId }) });
    return answer.ok && answer.ack?.cancelled === true;
  }

  async execute(command: Command): Promise<Answer> {
    if (this.#fault) return { ok: false, kind: 'session_faulted', message: this.#fault.message };
    const { commandId } = command;
    if (commandId === '' || Array.from(commandId).length > MAX_COMMAND_ID_LENGTH) {
      return {
        ok: false,
        kind: 'invalid_command',
        message: `a command id has 1 to ${MAX_COMMAND_ID_LENGTH} characters`,
      };
    }
    if (this.#commandIds.has(commandId)) {
      return { ok: false, kind: 'duplicate_command', message: `the command id ${commandId} was used before` };
    }
    this.#commandIds.add(commandId);
    if ('toolExecutionId' in command && this.#answering.has(command.toolExecutionId)) return { ok: true };
    if (command.type === 'ApproveToolCall' && command.scope === 'always') {
      // the answer is given: what comes for that gate while the rule is written is late
      this.#answering.add(command.toolExecutionId);
      const refused = await writeRule(this.#actor.state, this.#parts.ruleBook, command.toolExecutionId);
      this.#answering.delete(command.toolExecutionId);
      if (refused) {
        this.#commandIds.delete(commandId);
        return refused;
      }
    }
    const during = command.type === 'Interrupt' || command.type === 'SendQueuedInput' ? this.#running() : undefined;
    const reply = await this.#actor.post({ type: 'command', command, ...(during && { during }) });
    // a command that was none has not used its id
    if (reply.type === 'invalid') this.#commandIds.delete(commandId);
    if (reply.type === 'compacting') {
      const reason = await this.#turns.compaction(reply.loopId);
      return reason === undefined ? { ok: true } : { ok: true, ack: { commandId, compacted: false, reason } };
    }
    if (command.type === 'Shutdown' && reply.type === 'done') await this.ended;
    return answerOf(command.commandId, reply, this.#fault);
  }

  async shutdown(): Promise<void> {
    await this.execute({ type: 'Shutdown', commandId: this.#parts.newId(), agency: 'user' });
    await this.ended;
  }

  async drain(): Promise<void> {
    await this.#actor.post({ type: 'drain' });
    await this.ended;
  }

  setApproval(mode: ApprovalMode): void {
    this.#approval = mode;
  }

  snapshot(): SessionSnapshot {
    return snapshotOf(this.#actor.state, this.#approval);
  }

  context(loopId?: LoopId): Promise<LoopContext> {
    return loopContext(this.#parts, this.#budget, () => this.#actor.state, loopId);
  }

  async *readEvents({ after = 0 }: { after?: number } = {}): AsyncGenerator<Delivery> {
    for await (const record of this.#parts.journal.read({ after })) {
      if ('event' in record) yield { event: record.event, journalSeq: record.seq };
    }
  }

  subscribeEvents(filter: EventFilter, limit?: BufferLimit): Subscription {
    return this.#hub.subscribe(filter, limit);
  }

  /** Where a summary of that loop is being made: settles when it is there, or with why there will be none. */
  compaction(loopId: LoopId): Promise<string | undefined> | undefined {
    const running = this.#actor.state.loops.get(loopId)?.compaction.is === 'running';
    return running ? this.#turns.compaction(loopId) : undefined;
  }

  /** The Turns that run as this is called, by loop. */
  #running(): ReadonlyMap<LoopId, string> {
    const running = new Map<LoopId, string>();
    for (const loop of this.#actor.state.loops.values()) if (loop.turn) running.set(loop.id, loop.turn.id);
    return running;
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'closeWhenQuiet':
        void this.#actor.post({ type: 'close' });
        return;
      case 'finish':
        void this.#finish(undefined);
        return;
      default:
        this.#turns.perform(effect);
    }
  }

  #watchAppend(records: readonly JournalRecord[]): (ok: boolean) => void {
    const types = records.map((record) => ('event' in record ? record.event.type : ('command' as const)));
    const end = this.#parts.hooks.begin('JournalAppend', { sessionId: this.id }, { records: records.length, types });
    return (ok) => end(ok ? 'completed' : 'failed');
  }

  /** The journal failed for good: everything stops, and only what is on disk has happened. */
  #faulted(cause: unknown): void {
    const why = cause instanceof JournalError ? cause.message : 'an internal error';
    this.#fault = new JournalError(
      `The session can no longer be saved (${why.replace(/\.$/, '')}). What was shown as done is saved; start again to go on.`,
      { cause },
    );
    this.#turns.abandonAll();
    void this.#finish(this.#fault);
  }

  async #finish(error: Error | undefined): Promise<void> {
    this.#hub.end();
    await this.#turns.settled();
    this.#turns.end();
    await this.#parts.journal.close().catch(() => undefined);
    this.#end(error);
  }
}
