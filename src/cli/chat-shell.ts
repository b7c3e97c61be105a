/** Runs a command of the person's own in the workspace. */
import { childEnvironment } from '../edge/process/environment.ts';
import { outputText } from '../edge/process/output-text.ts';
import type { ShellResult } from '../view/shell.ts';
import type { ChatParts } from './chat.ts';
import type { Live } from './chat-stage.ts';

export class PersonCommand {
  #running: AbortController | undefined;

  /** To its end, or until `stop`. Never rejects. */
  async run(command: string, { processes, loaded }: Live, parts: ChatParts): Promise<ShellResult> {
    const controller = new AbortController();
    this.#running = controller;
    const { secretVariables: variables, secrets: values } = loaded;
    const env = childEnvironment(parts.env, { variables, values });
    try {
      const request = { command, cwd: parts.cwd, env, output: { secrets: values } };
      const result = await processes.run(request, { signal: controller.signal });
      const stopped = result.stopped !== undefined;
      const ending = stopped ? 'stopped' : result.signal ? `ended by ${result.signal}` : `exit code ${result.code}`;
      const output = outputText(result.output).replace(/\n$/, '');
      return { output, ending, ok: result.code === 0 && !stopped, stopped, durationMs: result.durationMs };
    } catch (error) {
      const output = error instanceof Error ? error.message : String(error);
      return { output, ending: 'not started', ok: false, stopped: false, durationMs: 0 };
    } finally {
      this.#running = undefined;
    }
  }

  stop(): void {
    this.#running?.abort(new Error('stopped'));
  }
}
