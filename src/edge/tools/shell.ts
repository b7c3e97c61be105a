/** `shell`: one command line, not confined to the workspace. */
import { join } from 'node:path';
import * as z from 'zod';
import type { Tool, ToolContext, ToolResult } from '../../domain/tool.ts';
import { childEnvironment } from '../process/environment.ts';
import { outputText } from '../process/output-text.ts';
import { commandLineOf } from '../process/process-table.ts';
import { howEnded, type Processes } from '../process/processes.ts';
import type { CommandRequest, CommandResult } from '../process/run-command.ts';
import { said, seconds } from './result.ts';
import { parameters } from './schema.ts';
import { covered } from './shell-rules.ts';

export interface ShellOptions {
  processes: Processes;
  env: NodeJS.ProcessEnv;
  /** Where outputs that are too long are kept whole. */
  outputsDir?: string;
  /** Names of variables that hold secrets, beside those that look like it. */
  secretVariables?: readonly string[];
  /** Values that are never shown. */
  secrets?: () => readonly string[];
  /** Default time limit in ms. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const LONGEST_TIMEOUT_MS = 3_600_000;
/** The tool keeps the limit itself, so that what was printed is not lost; the runtime's is the second line. */
const SECOND_LINE_MS = 5_000;

const schema = parameters({
  command: z.string().min(1).describe('Text for the shell (bash where there is one)'),
  timeout_ms: z.int().min(1).optional().describe('Stop it after this time; at most an hour'),
  background: z.boolean().optional().describe('Let it go on and return at once; its end is told later'),
});
type ShellInput = { command: string; timeout_ms?: number; background?: boolean };

export function createShellTool(options: ShellOptions): Tool<ShellInput> {
  const limitOf = ({ timeout_ms }: ShellInput): number =>
    Math.min(timeout_ms ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS);
  return {
    name: 'shell',
    description:
      'Runs a shell command in the workspace folder and gives its output (standard output and error together) and exit code. ' +
      'There is no terminal and nothing on standard input: use options that ask nothing. Long output is cut in the middle and kept in a file. ' +
      'For servers and watchers set background.',
    parameters: schema,
    changes: true,
    summary: ({ command, background }) => `${oneRow(command)}${background ? ' (background)' : ''}`,
    async access(input, { cwd }) {
      const { command } = input;
      const how = input.background ? 'goes on in the background' : `time limit ${seconds(limitOf(input))}`;
      return {
        kind: 'run',
        detail: `${command}\n(in ${cwd}, ${how}; a command is not confined to the workspace)`,
        grants: [
          { scope: 'session', covers: command },
          { scope: 'always', covers: command },
        ],
      };
    },
    covered: (rules, { command }) => covered(rules, command),
    timeoutMs: (input) => limitOf(input) + SECOND_LINE_MS,
    async run(input, context) {
      const request = requestOf(input.command, context, options);
      if (input.background) return runInBackground(request, options.processes);
      const timeoutMs = limitOf(input);
      return resultOf(await options.processes.run(request, { timeoutMs, signal: context.signal }), timeoutMs);
    },
  };
}

function requestOf(command: string, { cwd, toolExecutionId }: ToolContext, options: ShellOptions): CommandRequest {
  const secrets = options.secrets?.() ?? [];
  const variables = options.secretVariables ?? [];
  const file = options.outputsDir && join(options.outputsDir, `${toolExecutionId.replace(/[^\w-]/g, '_')}.txt`);
  const env = childEnvironment(options.env, { variables, values: secrets });
  return { command, cwd, env, output: { secrets, ...(file ? { file } : {}) } };
}

async function runInBackground(request: CommandRequest, processes: Processes): Promise<ToolResult> {
  const { entry, exit, output } = await processes.startBackground(request);
  const printed = output ? `\nIt printed so far:\n${output}` : '';
  if (exit) {
    return { ...said(`It ended at once, ${howEnded(exit)}.${printed}`), isError: exit.code !== 0 };
  }
  const file = entry.file ? ` Its output goes to ${entry.file}.` : '';
  return said(
    `Started in the background as ${entry.id}; \`kill -- -${entry.pid}\` ends it.${file} You will be told when it ends.${printed}`,
  );
}

function resultOf(result: CommandResult, timeoutMs: number): ToolResult {
  const output = outputText(result.output);
  const notes = notesOf(result, timeoutMs);
  const text = [output.replace(/\n$/, '') || (notes.length > 0 ? '' : '(no output)'), ...notes]
    .filter(Boolean)
    .join('\n');
  const isError = result.code !== 0 || result.stopped !== undefined;
  return { ...said(text, previewOf(text)), ...(isError ? { isError } : {}) };
}

function notesOf({ code, signal, stopped, durationMs, stillRunning }: CommandResult, timeoutMs: number): string[] {
  const notes: string[] = [];
  if (stopped === 'timeout')
    notes.push(`[stopped after ${seconds(timeoutMs)}, its time limit, with all that it had started]`);
  else if (stopped === 'aborted') notes.push(`[interrupted after ${seconds(durationMs)}]`);
  else if (signal) notes.push(`[ended by ${signal}]`);
  else if (code !== 0) notes.push(`[exit code ${code}]`);
  if (stillRunning.length > 0) {
    const list = stillRunning.slice(0, 5).map(({ pid }) => `${pid} (${commandLineOf(pid).slice(0, 100)})`);
    const more = stillRunning.length > 5 ? ` and ${stillRunning.length - 5} more` : '';
    notes.push(
      `[still running: process ${list.join(', ')}${more}; what it prints is not shown, and it is ended when this program exits]`,
    );
  }
  return notes;
}

const MAX_SUMMARY = 300;

const oneRow = (command: string): string => {
  const row = command.trim().replaceAll('\n', ' ⏎ ');
  return row.length > MAX_SUMMARY ? `${row.slice(0, MAX_SUMMARY)}…` : row;
};

const PREVIEW_HEAD = 4;
const PREVIEW_TAIL = 13;

/** How it began and, above all, how it ended. */
function previewOf(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= PREVIEW_HEAD + PREVIEW_TAIL + 1) return text;
  const dropped = lines.length - PREVIEW_HEAD - PREVIEW_TAIL;
  return [...lines.slice(0, PREVIEW_HEAD), `… ${dropped} lines …`, ...lines.slice(-PREVIEW_TAIL)].join('\n');
}
