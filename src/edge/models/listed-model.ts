/** A model as a server's list names it, and what else the list tells of it. Pure. */
import { asRecord, asText, type JsonRecord } from './json.ts';

export interface ListedModel {
  id: string;
  /** Tokens that it can read. */
  window?: number;
  /** For a million tokens. */
  price?: { input: number; output: number };
}

const WINDOW_FIELDS = ['context_length', 'context_window', 'max_model_len', 'max_context_length', 'input_token_limit'];
const TOKENS_PRICED = 1_000_000;

/** The models of a list, sorted, each once. */
export function listedModels(list: readonly unknown[]): ListedModel[] {
  const found = new Map<string, ListedModel>();
  for (const entry of list) {
    const model = asRecord(entry) ?? {};
    const id = asText(entry) || asText(model.id) || asText(model.name);
    if (id !== '' && !found.has(id)) found.set(id, { id, ...windowOf(model), ...priceOf(asRecord(model.pricing)) });
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function windowOf(model: JsonRecord): Pick<ListedModel, 'window'> {
  const named = [...WINDOW_FIELDS.map((name) => model[name]), asRecord(model.meta)?.n_ctx_train];
  const window = named.map(Number).find((tokens) => Number.isSafeInteger(tokens) && tokens > 0);
  return window === undefined ? {} : { window };
}

/** `prompt` and `completion` are said for one token, `input` and `output` for a million. A price below zero is none. */
function priceOf(pricing: JsonRecord = {}): Pick<ListedModel, 'price'> {
  const said = (one: unknown, million: unknown): number => {
    const price = amount(one) * TOKENS_PRICED;
    return Number.isNaN(price) ? amount(million) : price;
  };
  const input = said(pricing.prompt, pricing.input);
  const output = said(pricing.completion, pricing.output);
  return input >= 0 && output >= 0 ? { price: { input, output } } : {};
}

/** NaN where it is none. */
const amount = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN;

/** Models that lie beside those that chat, by the words in their names. */
const NO_CHAT = /embed|rerank|whisper|tts|moderation|stable-diffusion|dall-e|\bbge\b|minilm/i;
export const canChat = (model: string): boolean => !NO_CHAT.test(model);
