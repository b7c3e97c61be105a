/** The schemas of commands as scripts write them (contract: Wire format, commands). Their own file: the declarations of the library name no zod. */
import * as z from 'zod';
import type { Command, CommandType } from '../../domain/command.ts';
import type { InputBlock } from '../../domain/content.ts';
import { MAX_COMMAND_ID_LENGTH } from '../../domain/identity.ts';

export const commandId = z.string().refine((id) => id !== '' && [...id].length <= MAX_COMMAND_ID_LENGTH, {
  error: `must have 1 to ${MAX_COMMAND_ID_LENGTH} characters`,
});
const filled = z.string().min(1, { error: 'must not be empty' });
/** Empty is as good as left out, as everywhere on the wire. */
const maybe = z
  .string()
  .optional()
  .transform((text) => text || undefined);
const agency = z.enum(['user', 'machine']).default('machine');

/** Looked for from the outside: one pattern over the whole would run out of stack on a large picture. */
const isBase64 = (data: string): boolean => {
  const end = data.indexOf('=');
  const padding = end === -1 ? 0 : data.length - end;
  return data.length % 4 === 0 && padding <= 2 && !/[^A-Za-z0-9+/=]/.test(data) && !/=[^=]/.test(data.slice(-2));
};
const block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z
    .object({
      type: z.literal('image'),
      media_type: z.string().regex(/^image\/[\w.+-]+$/, { error: 'must be image/…' }),
      data: filled.refine(isBase64, { error: 'must be base64' }),
    })
    .transform(({ type, media_type, data }) => ({ type, mediaType: media_type, data })),
]);

const inputBlocks = (text: string | undefined, blocks: InputBlock[] | undefined): InputBlock[] =>
  blocks ?? (text ? [{ type: 'text', text }] : []);

/** What a command says beside its header, in the domain's names. */
export const bodies = {
  UserInput: z
    .object({
      blocks: z.array(block).optional(),
      text: z.string().optional(),
      no_fold: z.boolean().optional(),
      loop_id: maybe,
    })
    .refine(({ blocks, text }) => blocks === undefined || text === undefined, {
      error: 'give blocks or text, not both',
    })
    .transform((c) => ({ blocks: inputBlocks(c.text, c.blocks), noFold: c.no_fold || undefined, loopId: c.loop_id })),
  CancelQueuedInput: z
    .object({ target_command_id: filled })
    .transform((c) => ({ targetCommandId: c.target_command_id })),
  Interrupt: z.object({ loop_id: maybe }).transform((c) => ({ loopId: c.loop_id })),
  ResumeQueue: z.object({ loop_id: maybe }).transform((c) => ({ loopId: c.loop_id })),
  MoveQueuedInput: z
    .object({ target_command_id: filled, before_command_id: maybe })
    .transform((c) => ({ targetCommandId: c.target_command_id, beforeCommandId: c.before_command_id })),
  SetQueuedInput: z
    .object({ target_command_id: filled, no_fold: z.boolean().default(false) })
    .transform((c) => ({ targetCommandId: c.target_command_id, noFold: c.no_fold })),
  SendQueuedInput: z.object({ target_command_id: filled }).transform((c) => ({ targetCommandId: c.target_command_id })),
  ApproveToolCall: z
    .object({ tool_execution_id: filled, scope: z.enum(['once', 'session', 'always']).default('once') })
    .transform((c) => ({ toolExecutionId: c.tool_execution_id, scope: c.scope })),
  DenyToolCall: z
    .object({ tool_execution_id: filled, reason: maybe })
    .transform((c) => ({ toolExecutionId: c.tool_execution_id, reason: c.reason })),
  ProvideUserInput: z
    .object({ tool_execution_id: filled, answer: z.string().default('') })
    .transform((c) => ({ toolExecutionId: c.tool_execution_id, answer: c.answer })),
  StartLoop: z.object({ agent_name: maybe }).transform((c) => ({ agentName: c.agent_name })),
  SetActiveLoop: z.object({ loop_id: filled }).transform((c) => ({ loopId: c.loop_id })),
  SetModel: z
    .object({ model: filled, provider: maybe, loop_id: maybe })
    .transform((c) => ({ model: c.model, provider: c.provider, loopId: c.loop_id })),
  Compact: z.object({ loop_id: maybe }).transform((c) => ({ loopId: c.loop_id })),
  RenameSession: z.object({ name: filled }),
  Shutdown: z.object({}),
} as const satisfies Record<CommandType, z.ZodType>;
type BodyOf<K extends CommandType> = Omit<Extract<Command, { type: K }>, 'type' | 'commandId' | 'agency'>;
// the compiler holds every row to the domain's command
bodies satisfies { [K in CommandType]: z.ZodType<BodyOf<K>> };

export const header = z.object({ command_id: commandId.optional(), agency });
