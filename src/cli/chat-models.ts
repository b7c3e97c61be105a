/** Which models and which providers of models the chat offers. */
import { findError, ProviderError } from '../domain/failure.ts';
import { canChat, type ListedModel } from '../edge/models/listed-model.ts';
import type { Price } from '../edge/settings/schema.ts';
import { only } from '../view/chat.ts';
import { count } from '../view/context.ts';
import type { PickerItem } from '../view/picker.ts';
import { told } from '../view/told.ts';
import { beginWith } from '../view/update-model.ts';
import { fillPicker } from '../view/update-picker.ts';
import type { Change, OutsideErrand } from './chat-errands.ts';
import type { KnownProvider, LoadedSettings } from './load-settings.ts';

type ModelErrand = Extract<OutsideErrand, { type: 'ListModels' | 'ListProviders' | 'ChooseProvider' }>;
type Known = Pick<LoadedSettings, 'modelsOf' | 'providers' | 'choose' | 'refusalOf'>;

/** How long a list of models may take. */
const LIST_MS = 5_000;

export async function offerModels(
  errand: ModelErrand,
  known: Known,
  change: Change,
  newId: () => string,
): Promise<void> {
  const { provider } = errand;
  if (errand.type === 'ListProviders') {
    const items = known.providers().map((one) => providerItem(one, one.name === provider));
    items.sort((a, b) => Number(a.refusal !== undefined) - Number(b.refusal !== undefined));
    return change((chat) => only(fillPicker(chat, 'providers', items)));
  }
  if (errand.type === 'ListModels') {
    const { items, note } = await modelItems(errand, known);
    return change((chat) => only(fillPicker(chat, 'models', items, { of: provider, note })));
  }
  const found = known.providers().find(({ name }) => name === provider);
  const refusal = found ? found.refusal : known.refusalOf(provider, '');
  change((chat, now) =>
    refusal === undefined ? beginWith(chat, provider, found?.model, newId()) : told(chat, [refusal], now),
  );
}

/** Those that can chat first. `note`: why there are none. */
async function modelItems(
  { provider, model }: Extract<ModelErrand, { type: 'ListModels' }>,
  known: Known,
): Promise<{ items: PickerItem[]; note?: string }> {
  const signal = AbortSignal.timeout(LIST_MS);
  try {
    const models = await known.modelsOf(provider, signal);
    const sorted = [...models].sort((a, b) => Number(canChat(b.id)) - Number(canChat(a.id)));
    const items = sorted.map((one) => modelItem(one, one.id === model, known, provider));
    return items.length > 0 ? { items } : { items, note: `${provider} lists no models. ${BY_HAND}` };
  } catch (error) {
    const why = signal.aborted
      ? `${provider} sent no list within ${LIST_MS / 1000} s.`
      : findError(error, ProviderError)?.message;
    if (why === undefined) throw error;
    return { items: [], note: `${why} ${BY_HAND}` };
  }
}
const BY_HAND = 'Type the name of a model, and Enter takes it.';

function modelItem({ id, ...listed }: ListedModel, present: boolean, { choose }: Known, provider: string): PickerItem {
  const chosen = choose({ provider, model: id });
  const { window = listed.window, price = listed.price } = chosen.ok ? chosen.choice : {};
  const facts = [
    ...(present ? ['in use'] : []),
    ...(window === undefined ? [] : [`${count(window)} tokens`]),
    ...(price === undefined ? [] : priceFacts(price)),
  ];
  return { id, title: id, facts, present };
}

const priceFacts = ({ input, output }: Price): string[] =>
  input === undefined && output === undefined ? [] : [`${rounded(input)} in, ${rounded(output)} out per 1M`];

const rounded = (amount: number | undefined): string =>
  amount === undefined ? '?' : String(Number(amount.toPrecision(3)));

function providerItem({ name, model, baseUrl, refusal, keyless }: KnownProvider, present: boolean): PickerItem {
  if (keyless !== undefined) {
    const why = `${name} has no key: set ${keyless}, then start again with -c`;
    return { id: name, title: name, facts: [`set ${keyless}`], present, refusal: why };
  }
  const host = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined;
  const usable = [present ? 'in use' : undefined, name === 'demo' ? 'built in, no network' : model, host];
  const facts = (refusal === undefined ? usable : [refusal]).filter((fact) => fact !== undefined);
  return { id: name, title: name, facts, present, refusal, model };
}
