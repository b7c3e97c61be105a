/** A model server on this machine: offered where nothing is set up, used only when chosen. */
import { type Chat, loopOf, type Moment, only, type Step } from './chat.ts';
import { command } from './commands.ts';
import { hintFor } from './keymap.ts';
import { refused, told } from './told.ts';

export interface LocalOffer {
  provider: string;
  models: readonly string[];
}

export function offerLocal(
  chat: Chat,
  { name, title }: { name: string; title: string },
  models: readonly string[],
  now: number,
): Step {
  const key = hintFor(chat.settings.keymap, 'use-local', chat.settings.ascii);
  const others = models.length > 1 ? `; it has ${models.length - 1} more: /use NAME` : '';
  const how = key === undefined ? '/use' : `${key} or /use`;
  const line = `${title} answers on this machine: ${how} uses its model ${models[0]}${others}`;
  return told({ ...chat, local: { provider: name, models } }, [line], now);
}

/** Another model of that server by its name; default: the one that was offered. */
export function chooseLocal(chat: Chat, wanted: string, moment: Moment): Step {
  const { local } = chat;
  if (!local)
    return refused(chat, 'no model server was found on this machine; /model NAME PROVIDER chooses one', moment);
  const model = wanted === '' ? local.models[0] : local.models.find((one) => one === wanted);
  if (model === undefined)
    return refused(chat, `${local.provider} has no model ${wanted}; it has ${local.models.join(', ')}`, moment);
  const loopId = loopOf(chat)?.loopId;
  const { provider } = local;
  return only(chat, command(moment.id, { type: 'SetModel', model, provider, ...(loopId && { loopId }) }));
}
