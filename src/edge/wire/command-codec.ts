/** Commands as scripts write them, one JSON object a line (contract: Wire format, commands). Its own file: it loads zod. */
import type { ZodError } from 'zod';
import type { Command, CommandType } from '../../domain/command.ts';
import type { CommandId } from '../../domain/identity.ts';
import type { IdSource } from '../../runtime/ports.ts';
import { bodies, commandId, header } from './command-schema.ts';

/** The command of a line, or in one line what is wrong with it. */
export type DecodedCommand = { ok: true; command: Command } | { ok: false; message: string; commandId?: CommandId };

const firstFault = (error: ZodError): string => {
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
