/** A request that the model's server refused as too long. */
import { findError, ProviderError } from '../domain/failure.ts';

/** So often a request is made again with less. */
export const MAX_TRIES = 6;

export const isTooLong = (error: unknown): boolean =>
  findError(error, ProviderError)?.kind === 'provider_context_length';
