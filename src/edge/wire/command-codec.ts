/** Commands as scripts write them, one JSON object a line (contract: Wire format, commands). Its own file: it loads zod. */
import * as z from 'zod';
import type { Command, CommandType } from '../../domain/command.ts';
import type { InputBlock } from '../../domain/content.ts';
import { type CommandId, MAX_COMMAND_ID_LENGTH } from '../../domain/identity.ts';
import type { IdSource } from '../../runtime/ports.ts';

/** The command of a line, or in one line what is wrong with it. */
export type DecodedCommand = { ok: true; command: Command } | { ok: false; message: string; commandId?: CommandId };

const commandId = z.string().refine((id) => id !== '' && [...id].length <= MAX_COMMAND_ID_LENGTH, {
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

const firstFault = (error: z.ZodError): string => {
  const [issue] = error.issues;
  const path = issue?.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('') ?? '';
  const message = issue?.message ?? 'does not fit';
  return path ? `${path.replace(/^\./, '')}: ${message}` : message;
};

const isCommandType = (type: unknown): type is CommandType => typeof type === 'string' && Object.hasOwn(bodies, type);

/** `newId` makes up a missing command id. Extra fields are ignored. Never throws. */
export function decodeCommand(line: string, newId: IdSource): DecodedCommand {
  let wire: unknown;
  try {
    wire = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch {
    return { ok: false, message: 'the line is no JSON' };
  }
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) {
    return { ok: false, message: 'the line is no JSON object' };
  }
  const { type, command_id } = wire as Record<string, unknown>;
  const known = commandId.safeParse(command_id);
  const refuse = (message: string): DecodedCommand => ({
    ok: false,
    message,
    ...(known.success ? { commandId: known.data } : {}),
  });
  if (!isCommandType(type)) {
    return refuse(type === undefined ? 'the command has no type' : `${JSON.stringify(type)} is no type of a command`);
  }
  const head = header.safeParse(wire);
  if (!head.success) return refuse(`${type}: ${firstFault(head.error)}`);
  const body = bodies[type].safeParse(wire);
  if (!body.success) return refuse(`${type}: ${firstFault(body.error)}`);
  const command = { type, commandId: head.data.command_id ?? newId(), agency: head.data.agency, ...body.data };
  for (const key of Object.keys(command) as (keyof typeof command)[]) {
    if (command[key] === undefined) delete command[key];
  }
  return { ok: true, command: command as Command };
}
