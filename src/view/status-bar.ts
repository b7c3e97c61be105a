/** The parts of the line below the composer that tell what stands: which of them is a setting. */
import type { Chat } from './chat.ts';
import { count, signsFor } from './context.ts';
import type { LoopView } from './loop-view.ts';
import { costOf, type ModelFacts, money, readTokens } from './spending.ts';
import { displayWidth, truncate } from './width.ts';

const STATUS_PARTS = ['model', 'approval', 'loop', 'context', 'tokens', 'cost'] as const;
export type StatusPart = (typeof STATUS_PARTS)[number];

/** Where they do not all fit: the first are kept longest. The first hint of the keys stands between loop and context. */
export const STATUS_RANK: readonly StatusPart[] = ['model', 'approval', 'loop', 'context', 'cost', 'tokens'];

export interface StatusWord {
  part: StatusPart;
  text: string;
}

const UNKNOWN: ModelFacts = {};

/** In the order of the setting; a part about which nothing is known yet is left out. */
export function statusWords(chat: Chat, loop: LoopView | undefined): StatusWord[] {
  const { statusBar = STATUS_PARTS } = chat.settings;
  return statusBar.flatMap((part) => {
    const text = textOf(part, chat, loop);
    return text === undefined ? [] : [{ part, text }];
  });
}

function textOf(part: StatusPart, chat: Chat, loop: LoopView | undefined): string | undefined {
  const { settings, view, shell } = chat;
  const factsOf = (provider: string, model: string) => settings.factsOf?.(provider, model) ?? UNKNOWN;
  switch (part) {
    case 'model': {
      const demo = loop?.provider ? loop.provider === 'demo' : settings.demo;
      return demo ? 'demo model' : shortName(loop?.model || settings.label, chat);
    }
    case 'approval':
      // what stops a command is told first
      return shell
        ? undefined
        : { ask: 'asks before changes', auto: 'auto-approves', deny: 'denies changes' }[view.approval];
    case 'loop':
      return view.loops.length > 1 ? loopWord(chat, loop) : undefined;
    case 'tokens': {
      const read = loop ? readTokens(loop.usage) : 0;
      const written = loop?.usage.outputTokens ?? 0;
      return read + written === 0 ? undefined : `${count(read)} in, ${count(written)} out`;
    }
    case 'context': {
      const last = loop?.lastUsage;
      const window = loop && factsOf(loop.provider, loop.model).window;
      const held = last ? readTokens(last) + last.outputTokens : 0;
      if (!window || held === 0) return undefined;
      const share = Math.round((100 * held) / window);
      return `context ${share === 0 ? '<1' : share} %`;
    }
    case 'cost': {
      const cost = loop && costOf(loop.spent, factsOf);
      return cost && `cost ${money(cost.amount)}${cost.whole ? '' : '+'}`;
    }
  }
}

/** A long name leaves room for what the tools may do: its owner or folder goes first, then its end. */
function shortName(name: string, { size, settings }: Chat): string {
  const room = Math.max(12, Math.floor((size.columns * 3) / 8));
  if (settings.spoken || displayWidth(name) <= room) return name;
  return truncate(name.slice(name.lastIndexOf('/') + 1) || name, room, signsFor(settings.ascii).ellipsis);
}

function loopWord(chat: Chat, loop: LoopView | undefined): string {
  const { loops } = chat.view;
  const at = (loop ? loops.indexOf(loop) : 0) + 1;
  const busy = loops.filter((one) => one !== loop && one.turn).length;
  const asking = loops.filter((one) => one !== loop && one.gates.length > 0).length;
  const others = asking > 0 ? `, ${asking} asks` : busy > 0 ? `, ${busy} busy` : '';
  return `${loop ? `${loop.agentName}: ` : ''}loop ${at} of ${loops.length}${others}`;
}
