/** What the chat does once its first picture stands: nobody waits for it. */
import { only } from '../view/chat.ts';
import { offerLocal } from '../view/local-offer.ts';
import { renderMarkdown } from '../view/markdown.ts';
import { displayWidth } from '../view/width.ts';
import type { ChatParts } from './chat.ts';
import type { Change } from './chat-errands.ts';

/** Behind the first picture and what the first keys need. */
const SDK_AFTER_MS = 200;
const WIDTHS_AFTER_MS = 300;
const COLORS_AFTER_MS = 400;
const MARKDOWN_AFTER_MS = 500;

/** `change`: of the chat that is on the screen then. */
export function startLater(parts: ChatParts, colors: boolean, change: Change): void {
  const after = (ms: number, run: () => Promise<void>): void => {
    // what cannot be loaded now is missed where it is needed
    setTimeout(() => void run().catch(() => {}), ms).unref();
  };
  if (parts.needsSdk) after(SDK_AFTER_MS, loadSdkEarly);
  if (parts.offerLocal) after(0, () => lookForServer(change));
  // what is compiled at its first use would delay the first answer
  after(WIDTHS_AFTER_MS, async () => void displayWidth(JOINED));
  if (colors) after(COLORS_AFTER_MS, () => loadColors(change));
  after(MARKDOWN_AFTER_MS, async () => void renderMarkdown(SAMPLE, 40));
}

/** No table of simple signs knows its width. */
const JOINED = 'e\u0301👍🏽';
/** Of each kind of block one. */
const SAMPLE =
  '# a\n\n*b* `c` [d](https://e.example)\n\n- f\n\n> g\n\n| h | i |\n|---|---|\n| j | k |\n\n```\nl\n```\n';

async function loadSdkEarly(): Promise<void> {
  await import('../edge/models/asker.ts');
  const { loadSdk } = await import('../edge/models/sdk-request.ts');
  await loadSdk();
  // the SDK asks for these at its first request, and Node loads its HTTP client for the first of them
  void [globalThis.Headers, globalThis.FormData, globalThis.Response];
}

/** A model server on this machine is offered, and used only when the person says so. */
async function lookForServer(change: Change): Promise<void> {
  const { findLocalServer } = await import('../edge/models/discovery.ts');
  const found = await findLocalServer();
  if (found) change((chat, now) => offerLocal(chat, found.entry, found.models, now));
}

async function loadColors(change: Change): Promise<void> {
  const { highlight } = await import('./chat-colors.ts');
  change((chat) => only({ ...chat, settings: { ...chat.settings, highlight } }));
}
