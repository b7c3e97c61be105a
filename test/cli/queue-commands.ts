/** What people do to a queue, as commands on the wire. */
import { type Chat, driver, settled } from './black-box.ts';

/** A turn that streams until `a` is released, with these inputs queued behind it. */
export async function busy(
  chat: Chat,
  model: { reached(name: string): Promise<void> },
  inputs: [text: string, noFold?: boolean][],
) {
  chat.submit('running');
  await model.reached('a');
  const ids = inputs.map(([said, noFold]) => chat.submit(said, { no_fold: noFold === true }));
  await settled(chat);
  return ids;
}
export const saidBy = (chat: Chat, type: string) => chat.events(type).map(({ message }) => driver.textOf(message));
export const move = (chat: Chat, target: string, before?: string) => {
  const command_id = `move-${Math.random()}`;
  chat.send({
    type: 'MoveQueuedInput',
    command_id,
    agency: 'user',
    target_command_id: target,
    ...(before !== undefined && { before_command_id: before }),
  });
  return command_id;
};
export const set = (chat: Chat, target: string, noFold?: boolean) => {
  const command_id = `set-${Math.random()}`;
  chat.send({
    type: 'SetQueuedInput',
    command_id,
    agency: 'user',
    target_command_id: target,
    ...(noFold !== undefined && { no_fold: noFold }),
  });
  return command_id;
};
export const resume = (chat: Chat, more: Record<string, unknown> = {}) =>
  chat.send({ type: 'ResumeQueue', agency: 'user', ...more });
