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

/** Resolves when the answer was given to the session; the end of the input declines. */
export async function askOnTerminal(gate: Gate, session: Session, { stdin, stderr }: Streams): Promise<void> {
  stderr.write(`${sanitizeText(questionOf(gate))}\n> `);
  const line = await readLine(stdin);
  await session.execute(answerOf(gate, line));
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

const DIGIT_SCOPES = { 1: 'once', 2: 'session', 3: 'always' } as const;

function answerOf(gate: Gate, line: string | undefined): Command {
  const base = { commandId: newId(), agency: 'user' as const, toolExecutionId: gate.toolExecutionId };
  const text = line?.trim() ?? '';
  if (gate.type === 'UserInputRequested') {
    if (line === undefined) return { ...base, type: 'DenyToolCall' };
    return { ...base, type: 'ProvideUserInput', answer: gate.choices[Number(text) - 1] ?? text };
  }
  const scope = DIGIT_SCOPES[text as unknown as keyof typeof DIGIT_SCOPES];
  const offered = scope === 'once' || gate.request.scopes.some((offer) => offer.scope === scope);
  if (scope && offered) return { ...base, type: 'ApproveToolCall', scope };
  return { ...base, type: 'DenyToolCall', ...(text !== '' && text !== '4' && { reason: text }) };
}

function readLine(input: NodeJS.ReadableStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = createInterface({ input });
    reader.once('line', (line) => {
      reader.close();
      resolve(line);
    });
    reader.once('close', () => resolve(undefined));
  });
}
