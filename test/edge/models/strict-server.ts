/** What OpenAI refuses of a chat completions request, and a fixture server that refuses it as OpenAI does. */
import type { Answer } from './fixture-server.ts';

type Rec = Record<string, unknown>;
const isRecord = (value: unknown): value is Rec => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isName = (value: unknown): boolean => isText(value) && /^[a-zA-Z0-9_-]{1,64}$/.test(value);

class Refused extends Error {}
function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Refused(what);
}
function mustOnly(record: Rec, allowed: string, at: string): void {
  const unknown = Object.keys(record).filter((name) => !allowed.split(' ').includes(name));
  must(unknown.length === 0, `${at}: unknown field ${unknown[0]}`);
}

const BODY_FIELDS =
  'model messages stream stream_options tools tool_choice parallel_tool_calls max_tokens max_completion_tokens';
const FIELDS: Record<string, string> = {
  system: 'role content',
  developer: 'role content',
  user: 'role content',
  assistant: 'role content refusal tool_calls',
  tool: 'role content tool_call_id',
};

function checkPart(part: unknown, role: unknown, at: string): void {
  must(isRecord(part), `${at}: no object`);
  if (part.type === 'text') {
    mustOnly(part, 'type text', at);
    must(isText(part.text), `${at}: no text`);
    return;
  }
  must(part.type === 'image_url' && role === 'user', `${at}: parts of type ${String(part.type)} may not stand here`);
  const url = isRecord(part.image_url) ? part.image_url.url : undefined;
  must(isText(url) && /^(?:https?:\/\/|data:image\/[\w.+-]+;base64,[A-Za-z0-9+/=]+$)/.test(url), `${at}: no image`);
}

function checkContent({ role, content }: Rec, at: string): void {
  if (isText(content)) return;
  must(Array.isArray(content), `${at}: content is neither a text nor parts`);
  must(content.length > 0, `${at}: content has no parts`);
  content.forEach((part, n) => {
    checkPart(part, role, `${at}.content[${n}]`);
  });
}

function isObjectJson(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

function checkCalls(calls: unknown, at: string): string[] {
  must(Array.isArray(calls) && calls.length > 0, `${at}: tool_calls is no list with calls`);
  return calls.map((call: unknown, n) => {
    const where = `${at}.tool_calls[${n}]`;
    must(isRecord(call), `${where}: no object`);
    mustOnly(call, 'id type function', where);
    must(isText(call.id) && call.id !== '' && call.id.length <= 40, `${where}: id is no text of 1 to 40 characters`);
    must(call.type === 'function' && isRecord(call.function), `${where}: no function`);
    mustOnly(call.function, 'name arguments', where);
    must(isName(call.function.name), `${where}: no name of a function`);
    const { arguments: json } = call.function;
    must(isText(json) && isObjectJson(json), `${where}: arguments are no text that holds JSON`);
    return call.id;
  });
}

/** Every call is answered once, by the messages right behind it. */
function checkMessages(messages: unknown): void {
  must(Array.isArray(messages) && messages.length > 0, 'messages is no list with messages');
  let open: string[] = [];
  for (const [n, message] of messages.entries()) open = checkMessage(message, open, `messages[${n}]`);
  must(open.length === 0, `the call ${open[0]} is not answered`);
}

/** The answer is which calls are open behind it. */
function checkMessage(message: unknown, open: readonly string[], at: string): string[] {
  must(isRecord(message) && isText(message.role) && message.role in FIELDS, `${at}: no message of a known role`);
  mustOnly(message, FIELDS[message.role]!, at);
  if (message.role === 'tool') {
    must(isText(message.content), `${at}: the content of a tool message is no text`);
    must(open.includes(message.tool_call_id as string), `${at}: answers no call that stands before it`);
    return open.filter((id) => id !== message.tool_call_id);
  }
  must(open.length === 0, `${at}: comes before the call ${open[0]} is answered`);
  const ids = message.tool_calls === undefined ? [] : checkCalls(message.tool_calls, at);
  must(new Set(ids).size === ids.length, `${at}: two calls have one id`);
  const isEmpty = message.content === undefined || message.content === null;
  if (isEmpty && message.role === 'assistant') must(ids.length > 0, `${at}: neither content nor calls`);
  else checkContent(message, at);
  return ids;
}

function checkTools(tools: unknown): void {
  must(Array.isArray(tools) && tools.length > 0 && tools.length <= 128, 'tools is no list of 1 to 128');
  const names = tools.map((tool: unknown, n) => {
    must(isRecord(tool) && tool.type === 'function' && isRecord(tool.function), `tools[${n}]: no function`);
    mustOnly(tool.function, 'name description parameters strict', `tools[${n}]`);
    must(isName(tool.function.name), `tools[${n}]: no name of a function`);
    const { parameters } = tool.function;
    must(isRecord(parameters) && parameters.type === 'object', `tools[${n}]: parameters describe no object`);
    return tool.function.name;
  });
  must(new Set(names).size === names.length, 'two tools have one name');
}

function check(bytes: Uint8Array): void {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refused('the body is no JSON in UTF-8');
  }
  must(isRecord(body), 'the body is no object');
  must(!/\\u[dD][89a-fA-F]/.test(JSON.stringify(body)), 'the body holds half of a surrogate pair');
  mustOnly(body, BODY_FIELDS, 'the body');
  must(isText(body.model) && body.model !== '', 'no model');
  must(body.stream_options === undefined || body.stream === true, 'stream_options without a stream');
  if (body.tools === undefined)
    must(body.parallel_tool_calls === undefined && body.tool_choice === undefined, 'switches for tools without tools');
  else checkTools(body.tools);
  must(body.max_tokens === undefined || body.max_completion_tokens === undefined, 'two limits of output');
  checkMessages(body.messages);
}

/** Why OpenAI would answer 400; undefined where it would not. */
export function refusalOf(body: string | Uint8Array): string | undefined {
  try {
    check(typeof body === 'string' ? new TextEncoder().encode(body) : body);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

/** Answers as told where the request is one that OpenAI takes, else 400, noted in `refused`. */
export function strictly(answer: Answer, refused: string[]): Answer {
  return (response, seen) => {
    const why = seen.url.split('?')[0]?.endsWith('/chat/completions') ? refusalOf(seen.bytes) : undefined;
    if (why === undefined) return answer(response, seen);
    refused.push(why);
    const error = { message: why, type: 'invalid_request_error', param: 'messages', code: null };
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  };
}
