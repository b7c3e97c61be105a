/** Journals of any length in the form that the program writes, and that pass the audit. */
import { closeSync, openSync, writeSync } from 'node:fs';

export interface Shape {
  /** Records to write, about. */
  records: number;
  /** Characters of each answer. */
  answer: number;
  /** Every so many Turns the history is compacted: what was before is history no more. */
  compactEvery?: number;
  /** Characters of the result of one tool call in the middle. */
  toolResult?: number;
}

const ZERO = { input_tokens: 1, output_tokens: 1 };

class Writing {
  readonly #file: number;
  readonly #sessionId: string;
  #waiting: string[] = [];
  seq = 0;

  constructor(path: string, sessionId: string) {
    this.#file = openSync(path, 'wx', 0o600);
    this.#sessionId = sessionId;
  }

  event(type: string, fields: object = {}): void {
    const id = `018f0000-0000-7000-8000-${String(this.seq + 1).padStart(12, '0')}`;
    const created_at = new Date(1.7e12 + this.seq).toISOString();
    this.#line({ event: { type, v: 1, session_id: this.#sessionId, event_id: id, created_at, ...fields } });
  }

  command(command: object): void {
    this.#line({ command });
  }

  #line(record: object): void {
    this.seq += 1;
    this.#waiting.push(`${JSON.stringify({ seq: this.seq, ...record })}\n`);
    if (this.#waiting.length >= 1000) this.#flush();
  }

  #flush(): void {
    writeSync(this.#file, this.#waiting.join(''));
    this.#waiting = [];
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }
}

/** The answer is how many records were written. */
export function generateJournal(path: string, sessionId: string, cwd: string, shape: Shape): number {
  const writing = new Writing(path, sessionId);
  const loop_id = 'loop-1';
  writing.event('SessionStarted', { model: 'demo', provider: 'demo', cwd, app_version: '0' });
  writing.event('LoopStarted', { loop_id, agent_name: 'main', model: 'demo' });
  const turns = Math.floor(shape.records / 7);
  for (let turn_index = 1; turn_index <= turns; turn_index += 1) {
    const at = { loop_id, turn_id: `turn-${turn_index}` };
    const command_id = `018f0000-1111-7000-8000-${String(turn_index).padStart(12, '0')}`;
    const blocks = [{ type: 'text', text: `question ${turn_index}` }];
    writing.command({ type: 'UserInput', command_id, agency: 'user', loop_id, blocks });
    writing.event('SessionActive');
    writing.event('TurnStarted', {
      ...at,
      cause: { command_id, agency: 'user' },
      turn_index,
      message: { role: 'user', blocks },
    });
    const calls = shape.toolResult && turn_index === Math.floor(turns / 2);
    if (calls)
      writing.event('StepDone', {
        ...at,
        step_id: `tool-${turn_index}`,
        messages: toolStep(shape.toolResult as number),
      });
    const message = {
      role: 'assistant',
      blocks: [{ type: 'text', text: words(shape.answer, turn_index) }],
      usage: ZERO,
    };
    writing.event('StepDone', { ...at, step_id: `step-${turn_index}`, messages: [message] });
    const usage = calls ? { input_tokens: 2, output_tokens: 2 } : ZERO;
    writing.event('TurnDone', { ...at, turn_index, message, usage });
    writing.event('LoopIdle', { loop_id });
    writing.event('SessionIdle');
    if (shape.compactEvery && turn_index % shape.compactEvery === 0)
      writing.event('HistoryCompacted', { loop_id, summary: 'It was long.', usage: ZERO });
  }
  writing.close();
  return writing.seq;
}

function toolStep(length: number): object[] {
  const use = { type: 'tool_use', id: 'call_1', name: 'read_file', input: { path: 'big' } };
  const result = { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'x'.repeat(length) }] };
  return [
    { role: 'assistant', blocks: [use], usage: ZERO },
    { role: 'tool', blocks: [result] },
  ];
}

const words = (length: number, n: number): string => `answer ${n} `.repeat(Math.ceil(length / 10)).slice(0, length);
