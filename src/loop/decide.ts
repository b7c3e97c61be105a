/**
 * What happens next: the one place in which an input meets the state. Pure; ids come from the rules' supply. Commit
 * against cancel, retract against start, answer against interrupt are all decided by the order of the inputs here.
 */
import type { Ack, Command } from '../domain/command.ts';
import type { Usage, UserMessage } from '../domain/content.ts';
import type { LoopId, StepId, ToolExecutionId, TurnId } from '../domain/identity.ts';
import type { PermissionRequest } from '../domain/runtime-event.ts';
import type { Access } from '../domain/tool.ts';
import type { StepDone } from '../domain/turn-event.ts';
import { decideCommand } from './decide-command.ts';
import { decideGate } from './decide-gate.ts';
import { commitStep, decideClose, decideStart, endCompaction, endTurn } from './decide-turn.ts';
import type { ApprovalMode } from './permission.ts';
import type { SessionState } from './state.ts';
import { type GateDecision, Transition } from './transition.ts';
import type { FlowRules } from './turn-flow.ts';

export interface Rules extends FlowRules {
  /** Entries that an inbox holds; the running input does not count. */
  inboxLimit: number;
  /** Why a model cannot be asked, in one line; undefined where nothing is known against it. */
  refusalOf?: (provider: string, model: string) => string | undefined;
}

/** Who a tool call is. */
export interface CallIdentity {
  loopId: LoopId;
  turnId: TurnId;
  stepId: StepId;
  toolExecutionId: ToolExecutionId;
  toolUseId: string;
}

export interface CompactionResult {
  summary: string;
  keptFromStepId?: StepId;
  usage: Usage;
}

export type Input =
  | { type: 'start'; model: string; provider: string; cwd: string; appVersion: string; agentName: string }
  /** Settles what a crash left open. */
  | { type: 'restore' }
  /** `during`: the Turns that ran when an Interrupt or a SendQueuedInput arrived; one that started since is not meant. */
  | { type: 'command'; command: Command; during?: ReadonlyMap<LoopId, TurnId> }
  | { type: 'commitStep'; loopId: LoopId; turnId: TurnId; stepId: StepId; messages: StepDone['messages'] }
  | {
      type: 'endTurn';
      loopId: LoopId;
      turnId: TurnId;
      outcome: { type: 'interrupted' } | { type: 'failed'; err: Error };
    }
  | {
      type: 'requestPermission';
      call: CallIdentity;
      access: Access;
      request: PermissionRequest;
      granted: boolean;
      mode: ApprovalMode;
      /** Somebody is there who can answer. */
      attended: boolean;
    }
  /** A compaction is over: with its summary, or with why there is none. */
  | { type: 'endCompaction'; loopId: LoopId; result: CompactionResult | { failed: string } }
  /** The end of standard input: finish what is there, answer no more gates. */
  | { type: 'drain' }
  /** Stop where nothing runs any more. */
  | { type: 'close' };

/** What the sender of an input gets back; meaningful once the transition is on disk. */
export type Reply =
  | { type: 'done' }
  | { type: 'ack'; ack: Omit<Ack, 'commandId'> }
  | { type: 'invalid'; message: string }
  | { type: 'stopped' }
  /** `folded`: the messages that joined the Turn after this Step. */
  | { type: 'committed'; folded: UserMessage[] }
  /** The Turn was told to stop or is over: the Step is discarded. */
  | { type: 'discarded' }
  | { type: 'overflow'; message: string }
  | { type: 'free' }
  | { type: 'asked' }
  /** The answer to a Compact comes when the compaction is over. */
  | { type: 'compacting'; loopId: LoopId }
  | { type: 'settled'; decision: GateDecision; source: 'user' | 'policy' };

export interface Decision {
  transition: Transition;
  reply: Reply;
}

export function decide(state: SessionState, input: Input, rules: Rules): Decision {
  const next = new Transition(state);
  const reply = decideInto(next, input, rules);
  return { transition: next, reply };
}

function decideInto(next: Transition, input: Input, rules: Rules): Reply {
  switch (input.type) {
    case 'start':
    case 'restore':
      return decideStart(next, input, rules);
    case 'command':
      return decideCommand(next, input, rules);
    case 'commitStep':
      return commitStep(next, input, rules);
    case 'endTurn':
      return endTurn(next, input, rules);
    case 'endCompaction':
      return endCompaction(next, input, rules);
    case 'requestPermission':
      return decideGate(next, input);
    case 'drain':
    case 'close':
      return decideClose(next, input);
  }
}
