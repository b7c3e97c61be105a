/**
 * What a journal says of its inputs and how its records are named, read from the bytes alone: written apart from the
 * runtime and from the audit, so that the three can disagree.
 */
import { readFileSync } from 'node:fs';
import type { WireCommand, WireEvent } from '../support/kit.ts';

export interface WireRecord {
  seq: number;
  event?: WireEvent;
  command?: WireCommand;
}

/** The whole lines of a journal; `torn` is what stands behind the last line end. */
export function readLedger(path: string): { records: WireRecord[]; whole: string; torn: string } {
  const text = readFileSync(path, 'utf8');
  const end = text.lastIndexOf('\n') + 1;
  const whole = text.slice(0, end);
  return { records: parseRecords(whole), whole, torn: text.slice(end) };
}

export const parseRecords = (whole: string): WireRecord[] =>
  whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WireRecord);

/** Each kind of record that a crash may come behind: its type and what makes it another case. */
export function kindOf({ event, command }: WireRecord): string {
  if (command) return [command.type, command.agency, command.no_fold && 'held'].filter(Boolean).join(' ');
  const { type, reason, effect, source, turn_id } = event as WireEvent;
  switch (type) {
    case 'PermissionDecided':
      return `${type} ${effect} by ${source}`;
    case 'InputCancelled':
      return `${type} ${reason}${turn_id ? ' by a turn' : ''}`;
    case 'TurnRejected':
      return `${type} ${reason}`;
    default:
      return type;
  }
}

const RESOLUTIONS = new Set(['TurnStarted', 'TurnFoldedInto', 'InputCancelled', 'TurnRejected']);

/** What resolved each accepted input, in the order in which they were accepted. */
export function resolutions(records: readonly WireRecord[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { command, event } of records) {
    if (command?.type === 'UserInput') found.set(command.command_id, found.get(command.command_id) ?? []);
    if (event?.cause && RESOLUTIONS.has(event.type)) {
      found.set(event.cause.command_id, [...(found.get(event.cause.command_id) ?? []), event.type]);
    }
  }
  return found;
}

export const inputsOf = (records: readonly WireRecord[]): WireCommand[] =>
  records.flatMap(({ command }) => (command?.type === 'UserInput' ? [command] : []));

export const textOf = ({ blocks = [] }: Pick<WireCommand, 'blocks'>): string =>
  blocks.map(({ text = '' }) => text).join('');

/** Accepted, and nothing became of it yet. */
export function unresolved(records: readonly WireRecord[]): WireCommand[] {
  const found = resolutions(records);
  return inputsOf(records).filter(({ command_id }) => found.get(command_id)?.length === 0);
}

/** A restore puts it back into the queue, or returns it: what a failed Turn had still to give back, and a machine's. */
export function isRecovered(records: readonly WireRecord[], input: WireCommand): boolean {
  const ofLoop = records.filter(({ event }) => event?.loop_id === input.loop_id);
  const last = ofLoop.findLast(({ event }) =>
    /^Turn(Started|Done|Failed|Interrupted)$|^LoopIdle$/.test(event?.type ?? ''),
  );
  return input.agency === 'user' && last?.event?.type !== 'TurnFailed';
}

interface Line {
  step?: string;
  text: string;
}

/** What each loop has committed, oldest first, as `role: text` without the results of tools; a compaction is carried out. */
export function committed(records: readonly WireRecord[]): string[][] {
  const loops = new Map<string, Line[]>();
  for (const { event } of records) {
    if (!event?.loop_id) continue;
    const lines = loops.get(event.loop_id) ?? [];
    const { type, message, messages = [], step_id: step } = event;
    if (type === 'TurnStarted' || type === 'TurnFoldedInto') lines.push({ text: `user: ${textOf(message ?? {})}` });
    if (type === 'StepDone') {
      for (const { role, blocks } of messages)
        if (role !== 'tool') lines.push({ step, text: `${role}: ${textOf({ blocks })}` });
    }
    if (type === 'HistoryCompacted') {
      const from = lines.findIndex((line) => line.step !== undefined && line.step === event.kept_from_step_id);
      lines.splice(0, from < 0 ? lines.length : from, { text: `user: ${event.summary}` });
    }
    loops.set(event.loop_id, lines);
  }
  return [...loops.values()].map((lines) => lines.map(({ text }) => text));
}
