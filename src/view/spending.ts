/** What a loop has used, by the model that was asked, and what that costs where a price is known. */
import { type Usage, usageFault, ZERO_USAGE } from '../domain/content.ts';

/** In money for a million tokens. */
export interface PriceView {
  input?: number;
  output?: number;
  cacheRead?: number;
}
/** What the configuration knows of a model. `window`: tokens that it can read. */
export interface ModelFacts {
  window?: number;
  price?: PriceView;
}

export interface Spent {
  provider: string;
  model: string;
  usage: Usage;
}

/** A row a model; what does not count as usage adds nothing. */
export function spentOn(spent: readonly Spent[], at: Omit<Spent, 'usage'>, usage: Usage | undefined): readonly Spent[] {
  if (!usage || usageFault(usage)) return spent;
  const isSame = (one: Spent) => one.provider === at.provider && one.model === at.model;
  const before = spent.find(isSame)?.usage ?? ZERO_USAGE;
  return [...spent.filter((one) => !isSame(one)), { ...at, usage: summed(before, usage) }];
}

export function summed(sum: Usage, usage: Usage): Usage {
  const add = (field: keyof Usage) => sum[field] + usage[field];
  return {
    inputTokens: add('inputTokens'),
    outputTokens: add('outputTokens'),
    reasoningTokens: add('reasoningTokens'),
    cacheReadTokens: add('cacheReadTokens'),
    cacheCreationTokens: add('cacheCreationTokens'),
  };
}

/** All that was read, cached or not. */
export const readTokens = ({ inputTokens, cacheReadTokens, cacheCreationTokens }: Usage): number =>
  inputTokens + cacheReadTokens + cacheCreationTokens;

/** Undefined where no price is known; `whole`: it is known of all that was used. */
export function costOf(
  spent: readonly Spent[],
  factsOf: (provider: string, model: string) => ModelFacts,
): { amount: number; whole: boolean } | undefined {
  const rows = spent.filter(({ usage }) => readTokens(usage) + usage.outputTokens > 0);
  let amount = 0;
  let priced = 0;
  let whole = true;
  for (const { provider, model, usage } of rows) {
    const { price } = factsOf(provider, model);
    if (!price) {
      whole = false;
      continue;
    }
    const { input, output, cacheRead = input } = price;
    priced += 1;
    whole &&= input !== undefined && output !== undefined;
    const read = (usage.inputTokens + usage.cacheCreationTokens) * (input ?? 0);
    amount += (read + usage.cacheReadTokens * (cacheRead ?? 0) + usage.outputTokens * (output ?? 0)) / 1e6;
  }
  return priced === 0 ? undefined : { amount, whole };
}

/** Two digits that tell something: 0.000042, 0.0123, 1.23, 45.60. */
export function money(amount: number): string {
  if (amount === 0 || amount >= 0.995) return amount.toFixed(2);
  const digits = Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(amount))));
  return amount.toFixed(digits);
}
