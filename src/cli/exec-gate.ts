/** A gate of `exec`, asked on standard error and answered by a line of the terminal. */
import { createInterface } from 'node:readline';
import { newId } from '../compose.ts';
import type { Command } from '../domain/command.ts';
import type { Event } from '../domain/event.ts';
import type { PermissionRequested, UserInputRequested } from '../domain/runtime-event.ts';
import type { Session } from '../runtime/session.ts';
import { sanitizeText } from '../view/sanitize.ts';
import type { Streams } from './invocation.ts';

type Gate = Event<PermissionRequested> | Event<UserInputRequested>;

/** Lines that were typed before the question come within this time and answer nothing. */
const TYPED_AHEAD_MS = 50;

/** Resolves when the answer was given to the session; the end of the input declines. */
export async function askOnTerminal(gate: Gate, session: Session, { stdin, stderr }: Streams): Promise<void> {
  await dropTypedAhead(stdin);
  stderr.write(`${sanitizeText(questionOf(gate))}\n`);
  let answer: Command | undefined;
  while (!answer) {
    stderr.write('> ');
    answer = answerOf(gate, await readLine(stdin));
  }
  await session.execute(answer);
}

function questionOf(gate: Gate): string {
  if (gate.type === 'UserInputRequested') {
    return [gate.question, ...gate.choices.map((choice, i) => `  ${i + 1} ${choice}`)].join('\n');
  }
  const { summary, detail, scopes } = gate.request;
  const offers = scopes
    .filter(({ scope }) => scope !== 'once')
    .map(({ scope, covers }) => `  ${scope === 'session' ? 2 : 3} ${scope}: ${covers}`);
  return [summary, detail, '  1 once', ...offers, '  4 no', '  or a word to the model: no, with that reason'].join(
    '\n',
  );
}

const SCOPES: Partial<Record<string, 'once' | 'session' | 'always'>> = { 1: 'once', 2: 'session', 3: 'always' };

/** Nothing where the line answers nothing: an empty one, or a digit that is not offered. */
function answerOf(gate: Gate, line: string | undefined): Command | undefined {
  const base = { commandId: newId(), agency: 'user' as const, toolExecutionId: gate.toolExecutionId };
  if (line === undefined) return { ...base, type: 'DenyToolCall' };
  const text = line.trim();
  if (gate.type === 'UserInputRequested') {
    return { ...base, type: 'ProvideUserInput', answer: gate.choices[Number(text) - 1] ?? text };
  }
  if (text === '4') return { ...base, type: 'DenyToolCall' };
  if (!/^\d?$/.test(text)) return { ...base, type: 'DenyToolCall', reason: text };
  const scope = SCOPES[text];
  const offered = scope === 'once' || gate.request.scopes.some((offer) => offer.scope === scope);
  return scope && offered ? { ...base, type: 'ApproveToolCall', scope } : undefined;
}

function dropTypedAhead(input: Streams['stdin']): Promise<void> {
  const drop = (): void => undefined;
  input.on('data', drop);
  return new Promise((resolve) => {
    setTimeout(() => {
      input.off('data', drop);
      input.pause();
      resolve();
    }, TYPED_AHEAD_MS);
  });
}

/** The next line, or nothing at the end of the input. */
function readLine(input: Streams['stdin']): Promise<string | undefined> {
  if (input.readableEnded || input.destroyed) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const reader = createInterface({ input });
    reader.once('line', (line) => {
      resolve(line); // before the close, which says that there is none
      reader.close();
    });
    reader.once('close', () => resolve(undefined));
  });
}
