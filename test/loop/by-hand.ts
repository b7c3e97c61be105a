/** A session decided by hand: one input at a time, and what came of it as lines that a reviewer can read. */
import type { Command } from '../../src/domain/command.ts';
import { textOf, ZERO_USAGE } from '../../src/domain/content.ts';
import type { EventBody } from '../../src/domain/event.ts';
import type { GrantOffer } from '../../src/domain/runtime-event.ts';
import type { Access } from '../../src/domain/tool.ts';
import type { StepDone } from '../../src/domain/turn-event.ts';
import { type Decision, decide, type Input, type Rules } from '../../src/loop/decide.ts';
import { decideFailure } from '../../src/loop/decide-failure.ts';
import { type Change, evolve } from '../../src/loop/evolve.ts';
import { type LoopState, newSession, type SessionState } from '../../src/loop/state.ts';
import type { Effect } from '../../src/loop/transition.ts';

const OFFERS: GrantOffer[] = [
  { scope: 'once', covers: 'this' },
  { scope: 'session', covers: 'all' },
];

type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>;
type Fields<T extends Command['type']> = Omit<CommandOf<T>, 'type' | 'commandId' | 'agency'>;

export class ByHand {
  state: SessionState = newSession('session');
  readonly rules: Rules;
  #ids = 0;

  /** Begun, with the loop `main`; further ids are `new1`, `new2` and so on. */
  constructor(rules: Partial<Rules> = {}) {
    this.rules = {
      inboxLimit: 4,
      afterInterrupt: 'pause',
      newId: () => (this.state.loops.size === 0 ? 'main' : `new${++this.#ids}`),
      limitsOf: () => ({ budget: Number.POSITIVE_INFINITY, compactAt: Number.POSITIVE_INFINITY }),
      ...rules,
    };
    this.take({ type: 'start', model: 'm', provider: 'p', cwd: '/', appVersion: '0', agentName: 'main' });
  }

  loop(id = 'main'): LoopState {
    const loop = this.state.loops.get(id);
    if (!loop) throw new Error(`no loop ${id}`);
    return loop;
  }

  take(input: Input): string {
    return this.#enter(decide(this.state, input, this.rules));
  }

  /** The input's own transition could not be appended. */
  fail(input: Input, cause: unknown): string | undefined {
    const decision = decideFailure(this.state, input, cause);
    return decision && this.#enter(decision);
  }

  send<T extends Command['type']>(type: T, fields: Fields<T>, header: Partial<Command> = {}): string {
    return this.take(command(type, fields, header));
  }

  /** An input of a person, its id for its text. */
  say(name: string, { agency, ...fields }: Partial<CommandOf<'UserInput'>> = {}): string {
    return this.take(saying(name, fields, agency));
  }

  /** Inputs in a row: `|x` held, `x*` of a machine. */
  queueUp(names: string): void {
    for (const name of names.split(' ').filter(Boolean)) {
      this.say(name.replace(/[|*]/g, ''), {
        noFold: name.startsWith('|'),
        agency: name.endsWith('*') ? 'machine' : 'user',
      });
    }
  }

  /** What a journal would say, by itself. */
  evolve(event: EventBody): void {
    this.state = evolve(this.state, { event });
  }

  /** The running Turn asks about a call; `kind` is `ask` for a question to the person. */
  ask(kind: Access['kind'] = 'change', situation: Partial<Extract<Input, { type: 'requestPermission' }>> = {}): string {
    const call = { loopId: 'main', turnId: this.turnId, stepId: 'step', toolExecutionId: 'call', toolUseId: 'use' };
    return this.take({
      type: 'requestPermission',
      call,
      access: {
        kind,
        detail: '',
        grants: [],
        ...(kind === 'ask' && { question: { question: 'which?', choices: [] } }),
      },
      request: { toolName: 'change', summary: 'changes', detail: 'all', scopes: OFFERS },
      granted: false,
      mode: 'ask',
      attended: true,
      ...situation,
    });
  }

  /** The running Turn commits a Step: an answer, or as many calls as are named. */
  commit(...calls: string[]): string {
    const stepId = `step${++this.#ids}`;
    return this.take({ type: 'commitStep', loopId: 'main', turnId: this.turnId, stepId, messages: step(calls) });
  }

  end(err?: Error): string {
    const outcome = err ? ({ type: 'failed', err } as const) : ({ type: 'interrupted' } as const);
    return this.take({ type: 'endTurn', loopId: 'main', turnId: this.turnId, outcome });
  }

  get turnId(): string {
    return this.loop().turn?.id ?? 'none';
  }

  /** The entries of the loop's inbox: held ones with a bar, those of machines with a star. */
  queue(loopId = 'main'): string {
    const { inbox, held } = this.loop(loopId);
    const names = inbox.map(
      ({ commandId, noFold, agency }) => `${noFold ? '|' : ''}${commandId}${agency === 'machine' ? '*' : ''}`,
    );
    return `${names.join(' ')}${held ? ' (paused)' : ''}`;
  }

  #enter({ transition, reply }: Decision): string {
    this.state = transition.state;
    return linesOf(transition.changes, transition.effects, reply);
  }
}

/** A loop at work, with inputs queued behind it: `|x` held, `x*` of a machine. */
export function busy(queue = '', rules: Partial<Rules> = {}): ByHand {
  const hand = new ByHand(rules);
  hand.say('first');
  hand.queueUp(queue);
  return hand;
}

/** An interrupted loop whose history is being summarised, with `b` in its paused queue. */
export function pausedAndCompacting(): ByHand {
  const hand = busy('a');
  hand.commit('look');
  hand.queueUp('b');
  hand.end();
  hand.send('Compact', {});
  return hand;
}

export const command = <T extends Command['type']>(
  type: T,
  fields: Fields<T>,
  header: Partial<Command> = {},
): Input => ({
  type: 'command',
  command: { type, commandId: type.toLowerCase(), agency: 'user', ...header, ...fields } as unknown as Command,
});

export const saying = (
  name: string,
  fields: Partial<CommandOf<'UserInput'>> = {},
  agency: Command['agency'] = 'user',
): Input => command('UserInput', { blocks: [{ type: 'text', text: name }], ...fields }, { commandId: name, agency });

export function step(calls: readonly string[], isError = false): StepDone['messages'] {
  const uses = calls.map((name, i) => ({ type: 'tool_use' as const, id: `${name}${i}`, name, input: {} }));
  return [
    {
      role: 'assistant',
      blocks: [{ type: 'text', text: 'said' }, ...uses],
      usage: { ...ZERO_USAGE, inputTokens: 2, outputTokens: 1 },
    },
    ...uses.map(({ id }) => ({
      role: 'tool' as const,
      blocks: [{ type: 'tool_result' as const, toolUseId: id, content: [], isError }] as [never],
    })),
  ];
}

/** Events and commands, then what the shell is to do, then the answer; one line each, with all that they carry. */
export const linesOf = (changes: readonly Change[], effects: readonly Effect[], reply: { type: string }): string =>
  [
    ...changes.map((change) => ('event' in change ? line(change.event) : `[${line(change.command)}]`)),
    ...effects.map((effect) => `-> ${line(effect)}`),
    `= ${line(reply)}`,
  ].join('\n');

function line({ type, ...fields }: { type: string }): string {
  const words = Object.entries(fields as Record<string, unknown>).flatMap(([key, value]) =>
    value === undefined || key === 'err' ? [] : [`${key}=${wordOf(key, value as never)}`],
  );
  return [type, ...words].join(' ');
}

function wordOf(key: string, value: never): string {
  if (key === 'cause') return causeWord(value);
  if (key === 'message' && typeof value !== 'string') return textOf(value);
  if (key === 'messages') return (value as { role: string }[]).map(({ role }) => role).join('+');
  if (key === 'usage') return Object.values(value).join('/');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const causeWord = ({ commandId, agency }: { commandId: string; agency: string }): string =>
  agency === 'user' ? commandId : `${commandId}(${agency})`;
