/** What a caller without types may get wrong, each said in one line. */
import type { SessionOptions } from './session.ts';

/** Throws a TypeError that names the option and what it may be. */
export function checkOptions(options: SessionOptions): void {
  const { model, tools = [], limits = {} } = options;
  if (typeof model !== 'function' && typeof model?.stream !== 'function') {
    throw new TypeError(
      'createSession needs a model: an object with stream(request, signal), or a function that gives one.',
    );
  }
  oneOf('approval', options.approval, ['ask', 'auto', 'deny']);
  oneOf('afterInterrupt', options.afterInterrupt, ['pause', 'start']);
  wholeNumber('limits.maxSteps', limits.maxSteps);
  wholeNumber('limits.maxToolCalls', limits.maxToolCalls);
  wholeNumber('inboxLimit', options.inboxLimit);
  wholeNumber('toolTimeoutMs', options.toolTimeoutMs, LONGEST_TIMER_MS);
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new TypeError(`tools: two of them are named ${JSON.stringify(twice)}.`);
}

/** What a timer can be set to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function wholeNumber(option: string, value: number | undefined, most = Number.MAX_SAFE_INTEGER): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= most)) return;
  throw new TypeError(`${option} is ${String(value)}; it must be a whole number from 1 to ${most}.`);
}

function oneOf(option: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return;
  throw new TypeError(`${option} is ${JSON.stringify(value)}; it must be one of ${allowed.join(', ')}.`);
}
