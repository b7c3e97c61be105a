/** The choice of a model and of who provides it: by name, or out of a list. It holds for the next Turn (contract: SetModel). */
import { type Chat, loopOf, only, type Step } from './chat.ts';
import { command } from './commands.ts';
import { newPicker, type Picker, type PickerItem } from './picker.ts';
import type { SlashName } from './slash-commands.ts';
import { type Run, refused } from './told.ts';

export const MODEL_COMMANDS = {
  model: (chat, argument, moment) => {
    const loop = loopOf(chat);
    if (!loop) return only(chat);
    const [model = '', provider] = argument.split(/\s+/);
    const demo = loop.provider === 'demo' && provider === undefined;
    if (demo && model !== '')
      return refused(chat, `the demo has no other model: /model ${model} PROVIDER, or /provider`, moment);
    if (demo) return openProviders(chat, 'the demo has no other model: choose who provides one');
    return model === '' ? openModels(chat, loop.provider) : setModel(chat, { model, provider }, moment.id);
  },
  provider: (chat, argument, { id }) => {
    const [provider = '', model] = argument.split(/\s+/);
    if (provider === '') return openProviders(chat);
    if (model !== undefined) return setModel(chat, { model, provider }, id);
    return only(chat, { type: 'Errand', errand: { type: 'ChooseProvider', provider } });
  },
} as const satisfies Partial<Record<SlashName, Run>>;

function setModel(chat: Chat, wanted: { model: string; provider?: string }, id: string): Step {
  const loop = loopOf(chat);
  return only(chat, command(id, { type: 'SetModel', ...wanted, ...(loop && { loopId: loop.loopId }) }));
}

function openProviders(chat: Chat, note = ''): Step {
  const errand = { type: 'ListProviders', provider: loopOf(chat)?.provider ?? '' } as const;
  return only({ ...chat, overlay: { ...newPicker('providers'), note } }, { type: 'Errand', errand });
}

function openModels(chat: Chat, provider: string): Step {
  const loop = loopOf(chat);
  const model = loop?.provider === provider ? loop.model : undefined;
  const errand = { type: 'ListModels', provider, ...(model !== undefined && { model }) } as const;
  return only({ ...chat, overlay: { ...newPicker('models'), of: provider } }, { type: 'Errand', errand });
}

/** A row was chosen. Of the provider in use, and of one without a model of its own, the models are offered. */
export function chooseModel(chat: Chat, picker: Picker, item: PickerItem, id: string): Step {
  const closed = { ...chat, overlay: undefined };
  if (picker.purpose === 'models')
    return item.present ? only(closed) : setModel(closed, { model: item.id, provider: picker.of }, id);
  if (item.id === 'demo' && item.present) return only(closed);
  return item.present ? openModels(chat, item.id) : beginWith(closed, item.id, item.model, id);
}

/** A provider with the model that it begins with; without one its list is opened. */
export const beginWith = (chat: Chat, provider: string, model: string | undefined, id: string): Step =>
  model === undefined ? openModels(chat, provider) : setModel(chat, { model, provider }, id);
