/** An `always` grant is put down before it takes effect (contract: Gates). */
import type { ToolExecutionId } from '../domain/identity.ts';
import type { SessionState } from '../loop/state.ts';
import type { RuleBook } from './ports.ts';
import type { Answer } from './session.ts';

/** Writes what the open gate offers for always. One that cannot be written grants nothing: the answer says why, the gate stays open. */
export async function writeRule(
  { loops }: SessionState,
  ruleBook: RuleBook,
  toolExecutionId: ToolExecutionId,
): Promise<Answer | undefined> {
  for (const { turn } of loops.values()) {
    if (turn?.gate?.toolExecutionId !== toolExecutionId || turn.stopping) continue;
    const offer = turn.gate.scopes.find(({ scope }) => scope === 'always');
    if (!offer) continue;
    try {
      await ruleBook.add({ toolName: turn.gate.toolName, covers: offer.covers });
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown reason';
      return { ok: false, kind: 'invalid_command', message: `the rule could not be written: ${why}` };
    }
  }
  return undefined;
}
