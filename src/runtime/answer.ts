/** What the sender of a command gets back, beside the events. */
import type { CommandId } from '../domain/identity.ts';
import type { Reply } from '../loop/decide.ts';
import type { Answer } from './session.ts';

export function answerOf(commandId: CommandId, reply: Reply | { type: 'faulted' }, fault: Error | undefined): Answer {
  switch (reply.type) {
    case 'ack':
      return { ok: true, ack: { commandId, ...reply.ack } };
    case 'invalid':
      return { ok: false, kind: 'invalid_command', message: reply.message };
    case 'stopped':
      return { ok: false, kind: 'session_stopped', message: 'the session has stopped' };
    case 'faulted':
      return { ok: false, kind: 'session_faulted', message: fault?.message ?? 'the session is faulted' };
    default:
      return { ok: true };
  }
}
