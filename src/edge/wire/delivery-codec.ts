/** What goes out on standard output, one JSON object a line; all of these give the line without its end. */
import type { Ack } from '../../domain/command.ts';
import type { Delivery, Event } from '../../domain/event.ts';
import type { TokenDelta } from '../../domain/turn-event.ts';
import { encodeEvent } from './event-codec.ts';
import type { WireObject } from './field.ts';

const quoted = JSON.stringify as (text: string) => string;

/**
 * TokenDeltas come by the ten thousand a second: those of plain text are put together by hand, the ids of a Step once.
 * A test holds this to what the table gives.
 */
let step:
  | { sessionId: string; loopId: string; turnId: string; stepId: string; agentName?: string; ids: string }
  | undefined;

function deltaLine(event: Event<TokenDelta>): string | undefined {
  const { chunk, sessionId, loopId, turnId, stepId, agentName } = event;
  if (chunk.type === 'tool_use') return undefined;
  if (
    step?.stepId !== stepId ||
    step.turnId !== turnId ||
    step.loopId !== loopId ||
    step.sessionId !== sessionId ||
    step.agentName !== agentName
  ) {
    const agent = agentName ? `"agent_name":${quoted(agentName)},` : '';
    const ids = `${agent}"loop_id":${quoted(loopId)},"turn_id":${quoted(turnId)},"step_id":${quoted(stepId)}`;
    step = { sessionId, loopId, turnId, stepId, agentName, ids };
  }
  return (
    `{"journal_seq":0,"event":{"type":"TokenDelta","v":1,"session_id":${quoted(sessionId)},"event_id":${quoted(event.eventId)},` +
    `"created_at":${quoted(event.createdAt)},${step.ids},"turn_index":${event.turnIndex},` +
    `"chunk":{"type":"${chunk.type}","text":${quoted(chunk.text)}}}}`
  );
}

/** One line without its end, for an event of either class. Not validated. */
export function encodeDelivery({ event, journalSeq, dropped }: Delivery): string {
  const fast = event.type === 'TokenDelta' && journalSeq === 0 && !dropped ? deltaLine(event) : undefined;
  if (fast !== undefined) return fast;
  return JSON.stringify({ journal_seq: journalSeq, ...(dropped ? { dropped } : {}), event: encodeEvent(event) });
}

/** Always with its answer, also where that is false. */
export function encodeAck(ack: Ack): string {
  const { commandId, cancelled, moved, changed, sent, compacted, reason } = ack;
  // JSON.stringify leaves out what is undefined
  return JSON.stringify({
    ack: { command_id: commandId, cancelled, moved, changed, sent, compacted, reason: reason || undefined },
  });
}

export interface WireFault {
  kind: string;
  message: string;
  /** Of the input, from 1. */
  line?: number;
  commandId?: string;
}
export function encodeError({ kind, message, line, commandId }: WireFault): string {
  const error: WireObject = { kind, message, line, command_id: commandId };
  return JSON.stringify({ error });
}
