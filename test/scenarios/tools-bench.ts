/** A real session with the real tools in a workspace of its own: only the model is scripted, and the journal in memory. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { PermissionRequested } from '../../src/domain/runtime-event.ts';
import { createConfigHooks } from '../../src/edge/hooks/config-hooks.ts';
import type { HookEntry } from '../../src/edge/hooks/entry.ts';
import { openMemoryJournal } from '../../src/edge/journal/memory-journal.ts';
import { createScriptedModel, type ScriptReply, text } from '../../src/edge/models/scripted.ts';
import { createProcesses, type Processes } from '../../src/edge/process/processes.ts';
import { createRuleBook } from '../../src/edge/settings/rule-book.ts';
import { systemClock } from '../../src/edge/system-clock.ts';
import { createTools } from '../../src/edge/tools/all.ts';
import { uuidSource } from '../../src/edge/uuid.ts';
import { newSession } from '../../src/loop/state.ts';
import { HookRunner } from '../../src/runtime/hook-runner.ts';
import { LiveSession } from '../../src/runtime/live-session.ts';
import type { Rule } from '../../src/runtime/ports.ts';
import type { Answer, ApprovalMode } from '../../src/runtime/session.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { Rig } from '../support/rig.ts';

export const KEY = 'sk-TEST-0123456789abcdef';

export interface BenchOptions {
  replies: ScriptReply[];
  hooks?: HookEntry[];
  approval?: ApprovalMode;
  /** Whether somebody is there who can answer. Default: yes. */
  attended?: boolean;
  maxSteps?: number;
  /** Rules of the workspace as the config had them at the start. */
  rules?: Rule[];
  /** Of the config, below the folder around the workspace. */
  config?: string;
}
export interface Bench {
  rig: Rig;
  /** What lies around the workspace. */
  top: string;
  ws: string;
  processes: Processes;
  /** What was logged, one line each. */
  log: string[];
  settled(): Promise<void>;
  put(path: string, content: string): void;
  has(path: string): boolean;
  read(path: string): string;
  /** Says something and waits until the loop is idle again. */
  turn(): Promise<void>;
  /** The nth gate, counted from 1, when it is open. */
  gate(n: number): Promise<PermissionRequested>;
  answer(gate: PermissionRequested, scope: 'once' | 'session' | 'always' | 'deny'): Promise<Answer>;
  /** The text of all results of calls, in their order. */
  results(): { text: string; isError: boolean }[];
}

export async function startBench(options: BenchOptions): Promise<Bench> {
  const { replies, hooks = [], approval = 'auto', attended = true, maxSteps = 25, rules = [] } = options;
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
  const ws = join(top, 'ws');
  mkdirSync(ws);
  const processes = createProcesses();
  const log: string[] = [];
  const shared = {
    processes,
    env: { ...process.env, OPENAI_API_KEY: KEY },
    secrets: () => [KEY],
    log: (message: string, fields?: object) => log.push(`${message} ${JSON.stringify(fields)}`),
  };
  const configured = createConfigHooks(hooks, { ...shared, cwd: ws });
  const clock = Object.assign(fakeClock(), systemClock);
  const newId = uuidSource(clock.now);
  const sessionId = newId();
  const model = createScriptedModel(replies, [text('ok')]);
  const journal = openMemoryJournal([]);
  // one set for one session: it remembers which files the session has seen
  const tools = createTools({ ...shared, outputsDir: join(top, 'outputs') });
  const session = new LiveSession(
    {
      sessionId,
      cwd: ws,
      journal,
      beginning: {
        type: 'new',
        input: { type: 'start', model: 'scripted', provider: 'test', cwd: ws, appVersion: '0', agentName: 'main' },
      },
      models: { resolve: async () => model },
      tools: () => tools,
      system: async () => 'be brief',
      limits: () => ({ maxSteps, maxToolCalls: 100 }),
      toolTimeoutMs: () => 120_000,
      approval,
      attended: () => attended,
      ruleBook: createRuleBook(join(top, options.config ?? 'config.json'), ws, rules),
      takeNotices: () => processes.takeNotices(),
      hooks: new HookRunner(configured, shared.log),
      clock,
      newId,
      log: shared.log,
      rules: { inboxLimit: 64, afterInterrupt: 'pause', newId },
    },
    newSession(sessionId),
  );
  const subscription = session.subscribeEvents({ enduring: 'all', ephemeral: 'all' });
  const rig = new Rig({ session, model, journal, clock, subscription });
  onTestFinished(async () => {
    await rig.shutdown();
    await processes.stopAll();
    rmSync(top, { recursive: true, force: true });
  });
  await session.begin();
  return {
    rig,
    top,
    ws,
    processes,
    log,
    settled: () => configured.settled(),
    put(path, content) {
      mkdirSync(dirname(join(ws, path)), { recursive: true });
      writeFileSync(join(ws, path), content);
    },
    has: (path) => existsSync(join(ws, path)),
    read: (path) => readFileSync(join(ws, path), 'utf8'),
    async turn() {
      const from = rig.deliveries.length;
      await rig.say(`input ${from}`);
      await rig.until('LoopIdle', from);
    },
    async gate(n) {
      let count = 0;
      return (await rig.until(({ type }) => type === 'PermissionRequested' && ++count === n)) as PermissionRequested;
    },
    answer({ toolExecutionId }, scope) {
      if (scope === 'deny') return rig.send({ type: 'DenyToolCall', toolExecutionId });
      return rig.send({ type: 'ApproveToolCall', toolExecutionId, scope });
    },
    results: () =>
      rig.events('StepDone').flatMap(({ messages }) =>
        messages.flatMap((message) =>
          message.role !== 'tool'
            ? []
            : message.blocks.map(({ content, isError }) => ({
                text: content.map((block) => (block.type === 'text' ? block.text : `<${block.mediaType}>`)).join('\n'),
                isError: isError ?? false,
              })),
        ),
      ),
  };
}
