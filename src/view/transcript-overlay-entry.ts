/**
 * The whole session as entries: what was said, thought, called and answered, in order and unfolded. An entry holds text,
 * no lines; those are drawn when they are looked at.
 */
import { type AssistantMessage, type InputBlock, type ToolMessage, textOf } from '../domain/content.ts';
import { coordinatesOf, type EventBody } from '../domain/event.ts';
import type { LoopId } from '../domain/identity.ts';
import { attachmentOf, namelessImages } from './attachment.ts';
import { plural } from './context.ts';
import { CANCELLED } from './queue.ts';
import { readTokens } from './spending.ts';

export interface Entry {
  kind: 'input' | 'folded' | 'thinking' | 'answer' | 'call' | 'output' | 'status' | 'note';
  text: string;
  /** A tool's name, or the word that a status begins with. */
  title?: string;
  failed?: boolean;
  /** More of the entry above: no empty line between them. */
  goesOn?: boolean;
}

/** A tool's output is parted at line ends, so that looking at a long one costs a page of it. */
const OUTPUT_PART = 8 * 1024;

/** What an event adds to the transcript of its loop; nothing for another loop's. */
export function entriesOf(event: EventBody, loopId: LoopId | undefined): Entry[] {
  const of = coordinatesOf(event).loopId;
  if (of !== undefined && loopId !== undefined && of !== loopId) return [];
  switch (event.type) {
    case 'TurnStarted':
      return [{ kind: 'input', text: inputText(event.message.blocks) }];
    case 'TurnFoldedInto':
      return [{ kind: 'folded', text: inputText(event.message.blocks) }];
    case 'StepDone': {
      const [message, ...results] = event.messages;
      return stepEntries(message, results);
    }
    case 'TurnDone': {
      const { usage } = event;
      const text = `${plural(readTokens(usage), 'token')} in, ${usage.outputTokens} out`;
      return [{ kind: 'status', title: 'done', text, goesOn: true }];
    }
    case 'TurnFailed': {
      const { kind, message } = event.failure;
      return [{ kind: 'status', title: 'failed', text: `${kind}: ${message}`, failed: true, goesOn: true }];
    }
    case 'TurnInterrupted':
      return [{ kind: 'status', title: 'interrupted', text: '', failed: true, goesOn: true }];
    case 'InputCancelled':
      return [{ kind: 'note', text: `${CANCELLED[event.reason]}: ${inputText(event.message.blocks)}` }];
    case 'PermissionDecided': {
      const who = event.source === 'user' ? 'you' : event.source;
      const why = event.reason ? `: ${event.reason}` : '';
      return [{ kind: 'note', text: `${event.effect === 'approve' ? 'approved' : 'denied'} by ${who}${why}` }];
    }
    case 'ModelChanged':
      return [{ kind: 'note', text: `the model is now ${event.model}` }];
    case 'SessionRenamed':
      return [{ kind: 'note', text: `named ${event.name}` }];
    case 'HistoryCompacted':
      return [{ kind: 'note', text: `the conversation was shortened to this summary:\n${event.summary}` }];
    default:
      return [];
  }
}

function inputText(blocks: readonly InputBlock[]): string {
  const images = namelessImages(blocks);
  const text = inputOf(blocks).trimEnd();
  if (images === 0) return text === '' ? 'asked again' : text;
  return [text, `[${plural(images, 'image')}]`].filter(Boolean).join('\n');
}

/** What goes along begins and ends at a line of its own, as it does where it is sent. */
function inputOf(blocks: readonly InputBlock[]): string {
  let text = '';
  let attached = false;
  for (const block of blocks) {
    if (block.type !== 'text') continue;
    const goesAlong = attachmentOf(block) !== undefined;
    const parted = text !== '' && !text.endsWith('\n') && (goesAlong || attached);
    text += (parted ? '\n' : '') + block.text;
    attached = goesAlong;
  }
  return text;
}

function stepEntries(message: AssistantMessage, results: readonly ToolMessage[]): Entry[] {
  const entries: Entry[] = [];
  let calls = 0;
  for (const block of message.blocks) {
    if (block.type === 'thinking') entries.push({ kind: 'thinking', text: block.text.trim() });
    else if (block.type === 'refusal') entries.push({ kind: 'answer', title: 'refused', text: block.text });
    else if (block.type === 'text') entries.push({ kind: 'answer', text: block.text.trim() });
    else {
      entries.push({ kind: 'call', title: block.name, text: callText(block.input) });
      const result = results[calls]?.blocks[0];
      calls += 1;
      if (result) entries.push(...outputEntries(textOf({ blocks: result.content }), result.isError === true));
    }
  }
  if (message.truncated) entries.push({ kind: 'note', text: 'the output limit cut this answer' });
  return entries.filter(({ kind, text }) => text !== '' || (kind !== 'answer' && kind !== 'thinking'));
}

function callText(input: Record<string, unknown>): string {
  return Object.entries(input)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
    })
    .join('\n');
}

function outputEntries(output: string, failed: boolean): Entry[] {
  const text = output.trimEnd();
  if (text === '') return [{ kind: 'output', text: 'no output', failed, goesOn: true }];
  const entries: Entry[] = [];
  for (let from = 0; from < text.length; ) {
    const line = text.indexOf('\n', from + OUTPUT_PART);
    const end = line < 0 || line > from + 4 * OUTPUT_PART ? cutBefore(text, from + 4 * OUTPUT_PART, line) : line;
    entries.push({ kind: 'output', text: text.slice(from, end), failed, goesOn: true });
    from = text.charAt(end) === '\n' ? end + 1 : end;
  }
  return entries;
}

/** Where a part without a line end in reach ends: not within a surrogate pair. */
function cutBefore(text: string, limit: number, line: number): number {
  if (limit >= text.length) return line < 0 ? text.length : line;
  return /[\udc00-\udfff]/.test(text.charAt(limit)) ? limit - 1 : limit;
}
