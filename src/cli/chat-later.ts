/** What the chat does once its first picture stands: nobody waits for it. */
import { only } from '../view/chat.ts';
import { offerLocal } from '../view/local-offer.ts';
import type { ChatParts } from './chat.ts';
import type { Change } from './chat-errands.ts';

/** Behind the first picture and what the first keys need. */
const SDK_AFTER_MS = 200;
const COLORS_AFTER_MS = 400;

/** `change`: of the chat that is on the screen then. */
export function startLater(parts: ChatParts, colors: boolean, change: Change): void {
  const after = (ms: number, run: () => Promise<void>): void => {
    // what cannot be loaded now is missed where it is needed
    setTimeout(() => void run().catch(() => {}), ms).unref();
  };
  if (parts.needsSdk) after(SDK_AFTER_MS, loadSdkEarly);
  if (parts.offerLocal) after(0, () => lookForServer(change));
  if (colors) after(COLORS_AFTER_MS, () => loadColors(change));
}

async function loadSdkEarly(): Promise<void> {
  await import('../edge/models/asker.ts');
  const { loadSdk } = await import('../edge/models/sdk-request.ts');
  await loadSdk();
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
