/** What a tool is. A tool brings everything that is said or shown of it; nobody else knows tools by name. */
import type { ImageBlock, TextBlock } from './content.ts';
import type { GrantOffer } from './runtime-event.ts';

/** What a tool may do to the world; decides whether a call is gated (contract: Tools, --approval). */
export interface Access {
  /**
   * `free`: reads inside the workspace, never gated. `change`: alters things. `run`: starts a program, not confined.
   * `reach`: goes out to the network. `ask`: the call is itself a question to the person.
   */
  kind: 'free' | 'change' | 'run' | 'reach' | 'ask';
  /** It leaves the workspace: asked also in the mode auto, and refused where nobody can answer. */
  outside?: boolean;
  /** All that a person must see to decide: the whole command, a diff, the real path. */
  detail: string;
  /** What grants would cover, literally; `once` needs no entry. Matching of a rule is the tool's (`covered`). */
  grants: GrantOffer[];
  /** For kind `ask`. */
  question?: { question: string; choices: string[] };
}

/** What the model is told of a call, and what a card shows. */
export interface ToolResult {
  content: (TextBlock | ImageBlock)[];
  isError?: boolean;
  /** What a card shows of it; default: the text. At most 2 KiB and 20 lines are kept of it. */
  preview?: string;
}

/** What a running call is given. */
export interface ToolContext {
  /** The workspace, absolute, links resolved. */
  cwd: string;
  /** Aborted by an interrupt, a shutdown or the time limit; the tool then ends its processes and settles. */
  signal: AbortSignal;
  toolExecutionId: string;
  /** For kind `ask`: what the person answered. */
  answer?: string;
}

/** A schema that checks and describes arguments; a zod object is wrapped into one at the edge. */
export interface ParameterSchema<Input> {
  /** JSON Schema of an object, as a model is told it. */
  readonly jsonSchema: Record<string, unknown>;
  /** The checked arguments, or one line that tells the model what does not fit. */
  check(input: unknown): { ok: true; value: Input } | { ok: false; message: string };
}

/**
 * `run` may throw or reject: the model gets an error result. It must settle soon after its signal is aborted; what
 * does not within the limit is abandoned.
 */
export interface Tool<Input = unknown> {
  name: string;
  /** The server that it comes from, where it is no tool of the program's own. */
  server?: string;
  /** For the model. */
  description: string;
  parameters: ParameterSchema<Input>;
  /** Changing calls wait for all calls before them and hold all behind them. */
  changes: boolean;
  /** One line for a card: what this call does. */
  summary(input: Input): string;
  /** What the call would do; may look at the file system, never change it. */
  access(input: Input, context: Pick<ToolContext, 'cwd'>): Promise<Access>;
  /**
   * Whether the stored rules (the `covers` texts of this tool's session and always grants), all together, let this call
   * through. Default: one of them is one of its grants.
   */
  covered?(rules: readonly string[], input: Input, access: Access): boolean;
  /** Given the very `input` that `access` was given. */
  run(input: Input, context: ToolContext): Promise<ToolResult>;
  /** Time limit in ms of this call where it names one; default: the session's. */
  timeoutMs?(input: Input): number | undefined;
}

/** What a model is told of a tool. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}
