/** Server-sent events out of response bytes, cut anywhere. */
import { createParser } from 'eventsource-parser';
import { asRecord, parseJson } from './json.ts';

/** `json`: one parsed object. `done`: the server said [DONE]. `error`: an `event: error`. `junk`: what is no JSON. */
export type StreamItem =
  | { type: 'json'; value: unknown }
  | { type: 'error'; value: Record<string, unknown> }
  | { type: 'done' }
  | { type: 'junk'; text: string };

export interface EventStream {
  /** What became whole with these bytes. */
  feed(bytes: Uint8Array): StreamItem[];
  /** The last event, which may lack its blank line. */
  end(): StreamItem[];
}

/** Characters that one event may have. */
const EVENT_LIMIT = 32 * 1024 * 1024;

function itemsOf(event: string | undefined, data: string): StreamItem[] {
  const text = data.trim();
  if (text === '') return [];
  if (/^\[DONE\]$/i.test(text)) return [{ type: 'done' }];
  const value = parseJson(text);
  if (event === 'error') return [{ type: 'error', value: errorOf(value, text) }];
  if (value !== undefined) return [{ type: 'json', value }];
  // a field's name that something between wrote once more
  if (text.startsWith('data:')) return itemsOf(event, text.slice(5));
  // two events that a server forgot to part by a blank line
  if (text.includes('\n')) return text.split('\n').flatMap((line) => itemsOf(event, line));
  return [{ type: 'junk', text }];
}

function errorOf(value: unknown, text: string): Record<string, unknown> {
  const record = asRecord(value);
  if (!record) return { error: typeof value === 'string' ? value : text };
  return record.error ? record : { error: record };
}

export function createEventStream(): EventStream {
  const decoder = new TextDecoder();
  let items: StreamItem[] = [];
  const parser = createParser({
    maxBufferSize: EVENT_LIMIT,
    onEvent: (event) => {
      for (const item of itemsOf(event.event, event.data)) items.push(item);
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') items.push({ type: 'junk', text: 'an event of more than 32 MB' });
      // a bare JSON line, as servers write that fail before they think of events
      else if (error.line?.startsWith('{') && parseJson(error.line))
        items.push({ type: 'json', value: parseJson(error.line) });
    },
  });
  const feed = (text: string) => {
    items = [];
    parser.feed(text);
    return items;
  };
  return {
    feed: (bytes) => feed(decoder.decode(bytes, { stream: true })),
    end: () => feed(`${decoder.decode()}\n\n`),
  };
}
