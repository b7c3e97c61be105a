/** The rules of the gates of one loop: asked, then decided once, one at a time (contract: Gates). */
import type { PermissionDecided, PermissionRequested, UserInputRequested } from '../../domain/runtime-event.ts';
import { fail } from './audit-rule.ts';

type Request = PermissionRequested | UserInputRequested;

export class GateAudit {
  open: Request | undefined;
  readonly #calls = new Set<string>();

  request(event: Request): void {
    if (this.open) fail(`${event.type} while another gate is open`);
    this.#once(event);
    this.open = event;
  }

  /** A mode, a rule or an earlier grant decides without asking; nobody else does. */
  decide(event: PermissionDecided): void {
    const gate = this.open;
    if (!gate) {
      this.#once(event);
      if (event.source !== 'policy') fail(`PermissionDecided by ${event.source} without a request`);
      return;
    }
    const sameCall =
      gate.toolExecutionId === event.toolExecutionId &&
      gate.toolUseId === event.toolUseId &&
      gate.stepId === event.stepId;
    if (!sameCall) fail('PermissionDecided of another call than the one that is asked about');
    const offered = gate.type === 'PermissionRequested' ? gate.request.scopes : [];
    if (event.scope && event.scope !== 'once' && !offered.some(({ scope }) => scope === event.scope)) {
      fail(`PermissionDecided grants ${event.scope}, which was not offered`);
    }
    this.open = undefined;
  }

  #once({ type, toolExecutionId }: Request | PermissionDecided): void {
    if (this.#calls.has(toolExecutionId)) fail(`${type} of a call that was decided before`);
    this.#calls.add(toolExecutionId);
  }
}
