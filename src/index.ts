/** The library's face: re-exports, nothing else. Never loads Ink, React or commander. */
export { eventTraits, isReply, isTerminal, replyTo } from './domain/event.ts';
export * from './domain/failure.ts';
export { InvalidEventError, validateEvent } from './domain/validation.ts';
