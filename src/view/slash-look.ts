/** Slash commands that concern how the chat looks. */
import type { Chat } from './chat.ts';
import type { SlashName } from './slash-commands.ts';
import { THEME_CHOICES, type ThemeChoice, withLook } from './theme.ts';
import { type Run, told, usage } from './told.ts';

const isChoice = (word: string): word is ThemeChoice => (THEME_CHOICES as readonly string[]).includes(word);

export const LOOK_COMMANDS = {
  theme: (chat, argument, moment) => {
    const name = argument.toLowerCase();
    if (name === '') return told(chat, [`theme ${worded(chat)}; /theme ${NAMES} changes it`], moment.now);
    if (!isChoice(name)) return usage(chat, 'theme', moment);
    const next = { ...chat, settings: withLook(chat.settings, { choice: name }) };
    return told(next, [`theme ${worded(next)}; harness-chat config set theme ${name} keeps it`], moment.now);
  },
} as const satisfies Partial<Record<SlashName, Run>>;

const NAMES = `${THEME_CHOICES.slice(0, -1).join(', ')} or ${THEME_CHOICES.at(-1)}`;

/** The choice, and what came of it where that is something else. */
function worded({ settings: { look, theme } }: Chat): string {
  const { choice, colors } = look;
  if (choice === theme) return choice;
  if (colors === 0) return `${choice}, but this terminal has no colours`;
  if (choice === 'auto') return `auto, which is ${theme} here`;
  return colors === 16
    ? `${choice}, in the terminal's own sixteen colours`
    : `${choice} for a ${look.background} background`;
}
