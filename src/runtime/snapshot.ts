/** What is true now, for those who show it. */
import { isPaused, type SessionState } from '../loop/state.ts';
import type { ApprovalMode, SessionSnapshot } from './session.ts';

export function snapshotOf(state: SessionState, approval: ApprovalMode): SessionSnapshot {
  return {
    sessionId: state.sessionId,
    ...(state.name !== undefined && { name: state.name }),
    activeLoopId: state.activeLoopId,
    approval,
    loops: [...state.loops.values()].map((loop) => ({
      loopId: loop.id,
      agentName: loop.agentName,
      model: loop.model,
      provider: loop.provider,
      busy: loop.turn !== undefined,
      paused: isPaused(loop),
      queue: loop.inbox.map(({ commandId, agency, noFold, message }) => ({
        commandId,
        agency,
        noFold,
        blocks: message.blocks,
      })),
    })),
  };
}
