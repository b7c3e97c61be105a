import { expect, test } from 'vitest';
import { blindModel } from '../../src/cli/chat-attached.ts';
import type { Live } from '../../src/cli/chat-stage.ts';

const loop = (model: string) => ({ loopId: 'one', provider: 'here', model });
const opened = (loops: ReturnType<typeof loop>[]): Live => {
  const choose = ({ model }: { model?: string }) => ({ ok: true, choice: { quirks: { images: model !== 'blind' } } });
  const snapshot = () => ({ activeLoopId: loops[0]?.loopId, loops });
  return { session: { snapshot }, loaded: { choice: loop('blind'), choose } } as unknown as Live;
};

test.each([
  ['none', undefined, undefined],
  ['one that was opened just now', opened([]), 'blind'],
  ['one whose model sees', opened([loop('sees')]), undefined],
  ['one whose model does not', opened([loop('blind')]), 'blind'],
])('who takes no images in a session: %s', (_, live, model) => expect(blindModel(live)).toBe(model));
