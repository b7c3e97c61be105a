/**
 * A life in which every kind of journal record is written: inputs of people and machines, queued, held, moved, folded,
 * retracted, returned and rejected; gates asked, answered, denied, abandoned; a compaction; two loops; a crash; a restore; a stop.
 */
import {
  type Chat,
  contentOf,
  type Kit,
  type Op,
  type SeenRequest,
  sessionOf,
  type WireEvent,
  type World,
} from '../support/kit.ts';

export const INBOX_LIMIT = 4;
const env = { HARNESS_CHAT_INBOX_LIMIT: String(INBOX_LIMIT) };
const args = ['--approval', 'ask'];

/** The model does what the first word of the last message says; it waits at `hold` of the whole message. */
export function answers(kit: Kit): (body: SeenRequest['body']) => Op[] {
  const { say, call, text, toolCall, finish, hold, drop } = kit;
  return ({ messages }) => {
    const last = messages.at(-1);
    const said = last ? contentOf(last) : '';
    if (last?.role !== 'user') return say('That is what the tools say.');
    const [verb, ...rest] = said.split(' ');
    const command = { command: `echo ${rest.join(' ')}` };
    switch (verb) {
      case 'wait':
        return [text('First words.'), hold(said), ...say(' Last words.')];
      case 'work':
        return [text('Working.'), hold(said), toolCall('shell', command), finish('tool_calls')];
      case 'run':
        return call('shell', command);
      case 'ask':
        return call('ask_user', { question: 'Which one?', choices: ['a', 'b'] });
      case 'break':
        return [text('Half an answ'), hold(said), drop()];
      case 'Condense':
        return [text('It was'), hold('summary'), ...say(' short.')];
      default:
        return say(`Answer to: ${said}`);
    }
  };
}

/** One process of the life; every act waits for what it leads to. */
class Scene {
  readonly world: World;
  readonly chat: Chat;

  constructor(world: World, chat: Chat) {
    this.world = world;
    this.chat = chat;
  }

  /** Does it, then waits for the first event since that matches. */
  async until(act: () => unknown, match: string | ((event: WireEvent) => boolean)): Promise<WireEvent> {
    const from = this.chat.deliveries.length;
    act();
    return this.chat.until(match, { from });
  }

  send(command: Record<string, unknown>): void {
    this.chat.send({ agency: 'user', ...command });
  }

  /** A Turn from its input to the rest of its loop. */
  turn(text: string): Promise<WireEvent> {
    return this.until(() => this.chat.submit(text), 'LoopIdle');
  }

  /** An input whose Turn stands at its hold. */
  async held(text: string, loop_id?: string): Promise<string> {
    const id = this.chat.submit(text, { loop_id });
    await this.world.model.reached(text);
    return id;
  }

  async queued(text: string, options: Parameters<Chat['submit']>[1] = {}): Promise<string> {
    const id = this.chat.submit(text, options);
    await this.chat.untilReply(id, 'InputQueued');
    return id;
  }

  /** Up to the gate of the input's call; the answer is its id. */
  async gate(act: () => unknown, type = 'PermissionRequested'): Promise<string> {
    return (await this.until(act, type)).tool_execution_id as string;
  }

  rest(act: () => unknown): Promise<WireEvent> {
    return this.until(act, 'SessionIdle');
  }
}

/**
 * Lives to the end; the answer is the session's id. Rejects where a process dies before its time; once `death` is
 * aborted no other process is started.
 */
export async function live(world: World, death?: AbortSignal): Promise<string> {
  world.model.answerBy(answers(world.kit));
  const first = new Scene(world, world.chat({ args, env }));
  await first.chat.until('LoopStarted');
  await queueAndFold(first);
  await gates(first);
  await endings(first);
  await compaction(first);
  await twoLoops(first);
  const sessionId = sessionOf(first.chat);
  await first.chat.kill('SIGKILL');
  const next = async (): Promise<Scene> => {
    death?.throwIfAborted();
    const scene = new Scene(world, world.chat({ args: [...args, '--resume', sessionId], env }));
    await scene.chat.until('RestoreDone');
    return scene;
  };
  await drain(await next());
  await stop(await next());
  return sessionId;
}

async function queueAndFold(scene: Scene): Promise<void> {
  const { chat, world } = scene;
  await scene.turn('say one');
  await scene.held('work two');
  const person = await scene.queued('say three');
  const machine = await scene.queued('say four', { agency: 'machine' });
  const held = await scene.queued('say five', { no_fold: true });
  const retracted = await scene.queued('say six');
  const refused = chat.submit('say seven');
  await chat.untilReply(refused, 'TurnRejected');
  chat.retract(retracted);
  await chat.untilReply(retracted, 'InputCancelled');
  scene.send({ type: 'MoveQueuedInput', target_command_id: machine, before_command_id: person });
  scene.send({ type: 'SetQueuedInput', target_command_id: held, no_fold: false });
  scene.send({ type: 'SetQueuedInput', target_command_id: held, no_fold: true });
  const call = await scene.gate(() => world.model.release('work two'));
  await scene.rest(() => scene.send({ type: 'ApproveToolCall', tool_execution_id: call, scope: 'session' }));
}

async function gates(scene: Scene): Promise<void> {
  const { chat } = scene;
  // granted for the session: decided by policy
  await scene.rest(() => chat.submit('run two'));
  const asked = await scene.gate(() => chat.submit('ask eight'), 'UserInputRequested');
  await scene.rest(() => scene.send({ type: 'ProvideUserInput', tool_execution_id: asked, answer: 'b' }));
  const denied = await scene.gate(() => chat.submit('run nine'));
  await scene.rest(() => scene.send({ type: 'DenyToolCall', tool_execution_id: denied, reason: 'not now' }));
  await scene.gate(() => chat.submit('run ten'));
  await scene.queued('say eleven');
  await scene.queued('say twelve', { agency: 'machine' });
  await scene.rest(() => chat.interrupt());
  await scene.rest(() => scene.send({ type: 'ResumeQueue' }));
}

async function endings(scene: Scene): Promise<void> {
  const { world } = scene;
  await scene.held('break thirteen');
  await scene.queued('say fourteen');
  await scene.queued('say fifteen', { agency: 'machine', no_fold: true });
  await scene.rest(() => world.model.release('break thirteen'));
  await scene.until(() => scene.send({ type: 'SetModel', model: 'scripted-2' }), 'ModelChanged');
  await scene.until(() => scene.send({ type: 'RenameSession', name: 'A life' }), 'SessionRenamed');
}

/** An input waits for the summary. */
async function compaction(scene: Scene): Promise<void> {
  const { world } = scene;
  scene.send({ type: 'Compact' });
  await world.model.reached('summary');
  await scene.queued('say fifteen and a half');
  await scene.rest(() => world.model.release('summary'));
}

/** Two loops at once; the process is killed with a Turn, a queue and a gate open. */
async function twoLoops(scene: Scene): Promise<void> {
  const { chat, world } = scene;
  const one = chat.deliveries.find(({ event }) => event.type === 'LoopStarted')?.event.loop_id;
  const two = (await scene.until(() => scene.send({ type: 'StartLoop', agent_name: 'second' }), 'LoopStarted')).loop_id;
  await scene.held('wait sixteen', one);
  await scene.until(() => scene.send({ type: 'SetActiveLoop', loop_id: two }), 'ActiveLoopChanged');
  await scene.turn('say seventeen');
  await scene.gate(() => chat.submit('run eighteen'));
  await scene.queued('say nineteen');
  await scene.until(() => scene.send({ type: 'Interrupt', loop_id: two }), 'LoopIdle');
  await scene.rest(() => world.model.release('wait sixteen'));
  await scene.held('wait twenty', one);
  await scene.queued('say twenty-one', { loop_id: one });
  await scene.queued('say twenty-two', { loop_id: one, agency: 'machine' });
  await scene.queued('say twenty-three', { loop_id: one, no_fold: true });
  await scene.gate(() => scene.send({ type: 'ResumeQueue' }), 'TurnDone');
  await scene.gate(() => chat.submit('run twenty-four'));
}

/** The end of standard input: a gate is denied, the queue is finished, a paused one is returned. */
async function drain(scene: Scene): Promise<void> {
  const { chat } = scene;
  await scene.rest(() => scene.send({ type: 'ResumeQueue' }));
  await scene.gate(() => chat.submit('run twenty-five'));
  await scene.queued('say twenty-six');
  await chat.close();
}

/** A running Turn, and a paused queue in the other loop. */
async function stop(scene: Scene): Promise<void> {
  const { chat } = scene;
  const two = (await scene.until(() => scene.send({ type: 'StartLoop' }), 'LoopStarted')).loop_id;
  await scene.held('wait twenty-seven');
  await scene.queued('say twenty-eight');
  await scene.until(() => chat.interrupt(), 'LoopIdle');
  await scene.held('wait twenty-nine', two);
  await scene.queued('say thirty', { loop_id: two });
  await scene.until(() => {
    scene.send({ type: 'Shutdown' });
    chat.submit('say thirty-one');
  }, 'SessionStopped');
  await chat.exited;
}
