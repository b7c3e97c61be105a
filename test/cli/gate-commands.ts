/** Gates on the wire: calls that are asked about, and the answers to them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Case, type Chat, script, type WireEvent } from './black-box.ts';

const { toolCall } = script;
export const ASK = { args: ['--approval', 'ask'] };
export const touch = (file: string) => toolCall('shell', { command: `touch ${file}` });
export const made = (t: Case, file: string) => existsSync(join(t.sandbox.workspace, file));
export const approve = (chat: Chat, gate: WireEvent, scope?: string) =>
  chat.send({
    type: 'ApproveToolCall',
    agency: 'user',
    tool_execution_id: gate.tool_execution_id,
    ...(scope && { scope }),
  });
export const deny = (chat: Chat, gate: WireEvent, reason?: string) =>
  chat.send({
    type: 'DenyToolCall',
    agency: 'user',
    tool_execution_id: gate.tool_execution_id,
    ...(reason && { reason }),
  });
export const nextGate = (chat: Chat, n: number) =>
  chat
    .until(() => chat.events('PermissionRequested').length >= n, { what: `gate ${n}` })
    .then(() => chat.events('PermissionRequested')[n - 1] as WireEvent);
export const results = (chat: Chat) =>
  chat.events('StepDone').flatMap(({ messages = [] }) => messages.slice(1).map(({ blocks }) => blocks?.[0]));
