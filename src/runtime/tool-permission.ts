/** Before a call runs: is there such a tool, do its arguments fit, do the guards and the person let it go. */
import type { ToolUseBlock } from '../domain/content.ts';
import { GuardError } from '../domain/failure.ts';
import type { Outcome } from '../domain/hook.ts';
import type { Access, Tool } from '../domain/tool.ts';
import type { CallIdentity } from '../loop/decide.ts';
import type { DraftCall } from '../loop/draft.ts';
import type { GateDecision } from '../loop/transition.ts';
import { outcomeOf } from './hook-runner.ts';
import { type StepScope, StoppedError } from './turn-scope.ts';

/** A call that may run, or the refusal that is its result. */
export interface PreparedCall {
  use: ToolUseBlock;
  at: CallIdentity;
  coordinates: { sessionId: string; loopId: string; turnId: string; stepId: string; toolExecutionId: string };
  summary: string;
  ready?: { tool: Tool; input: unknown; answer?: string };
  refusal: string;
  /** Ends the observers of the ToolCall. */
  end(outcome: Outcome): void;
}

/** Throws a StoppedError where the Turn was told to stop meanwhile. */
export async function prepare(scope: StepScope, call: DraftCall, cut: boolean): Promise<PreparedCall> {
  const { use } = call;
  const { loopId, turnId, stepId, sessionId } = scope;
  const at: CallIdentity = { loopId, turnId, stepId, toolExecutionId: scope.newId(), toolUseId: use.id };
  const coordinates = { sessionId, loopId, turnId, stepId, toolExecutionId: at.toolExecutionId };
  const data = { toolName: use.name, toolUseId: use.id, input: use.input };
  const end = scope.hooks.begin('ToolCall', coordinates, data);
  const prepared: PreparedCall = { use, at, coordinates, summary: use.name, refusal: '', end };
  try {
    return await settle(scope, call, cut, prepared);
  } catch (error) {
    end(outcomeOf(error, scope.signal));
    throw error;
  }
}

async function settle(scope: StepScope, call: DraftCall, cut: boolean, prepared: PreparedCall): Promise<PreparedCall> {
  const { use, coordinates } = prepared;
  const refuse = (refusal: string): PreparedCall => ({ ...prepared, refusal });
  const tool = scope.tools.find(({ name }) => name === use.name);
  const fault = faultOf(call, cut, tool, scope.tools);
  if (fault || !tool) return refuse(fault ?? '');
  try {
    const checked = tool.parameters.check(use.input);
    if (!checked.ok) return refuse(`The arguments of ${use.name} do not fit: ${checked.message}`);
    prepared.summary = tool.summary(checked.value);
    await scope.hooks.guard(
      'ToolCall',
      coordinates,
      { toolName: use.name, toolUseId: use.id, input: use.input },
      scope.signal,
    );
    const access = await tool.access(checked.value, { cwd: scope.cwd });
    const decision = await permit(scope, prepared, tool, checked.value, access);
    if (decision.effect === 'deny') return refuse(denial(decision.reason));
    return {
      ...prepared,
      ready: { tool, input: checked.value, ...(decision.answer !== undefined && { answer: decision.answer }) },
    };
  } catch (error) {
    if (error instanceof StoppedError || scope.signal.aborted) throw new StoppedError();
    if (error instanceof GuardError) return refuse(error.message);
    return refuse(`${use.name} could not be prepared: ${error instanceof Error ? error.message : 'unknown reason'}`);
  }
}

/** Why the call cannot run whatever anybody says. */
function faultOf(
  { use, fault }: DraftCall,
  cut: boolean,
  tool: Tool | undefined,
  tools: readonly Tool[],
): string | undefined {
  if (cut)
    return 'The call was not run: the output limit cut the answer. Make the call again, with less text or in parts.';
  if (!tool)
    return `There is no tool ${JSON.stringify(use.name)}. The tools are: ${tools.map(({ name }) => name).join(', ')}.`;
  if (fault?.why === 'cut')
    return `The call was not run: its arguments are not whole JSON. They were: ${fault.raw.slice(0, 2000)}`;
  if (fault) return `The call was not run: its arguments are no JSON object. They were: ${fault.raw.slice(0, 2000)}`;
  return undefined;
}

const denial = (reason: string | undefined): string =>
  `The call was refused${reason ? `: ${reason}` : ''}. Do not make it again; go on in another way, or ask.`;

async function permit(
  scope: StepScope,
  { at, coordinates, use, summary }: PreparedCall,
  tool: Tool,
  input: unknown,
  access: Access,
): Promise<GateDecision> {
  const rules = [...scope.sessionGrants(), ...scope.ruleBook.rules()]
    .filter((grant) => grant.toolName === tool.name)
    .map((grant) => grant.covers);
  const granted = tool.covered?.(rules, input, access) ?? access.grants.some((offer) => rules.includes(offer.covers));
  const request = { toolName: tool.name, summary, detail: access.detail, scopes: access.grants };
  const [mode, attended] = [scope.approval(), scope.attended()];
  const reply = await scope.post({ type: 'requestPermission', call: at, access, request, granted, mode, attended });
  switch (reply.type) {
    case 'free':
      return { effect: 'approve' };
    case 'settled':
      return reply.decision;
    case 'asked': {
      const end = scope.hooks.begin('GateWait', coordinates, { toolName: use.name, toolUseId: use.id });
      try {
        const decision = await scope.gate(at.toolExecutionId);
        end(decision.effect === 'approve' ? 'completed' : 'denied');
        return decision;
      } catch {
        end('canceled');
        throw new StoppedError();
      }
    }
    default:
      throw new StoppedError();
  }
}
