/** What each setting is for, in one sentence: for the list of settings in the chat. */
import type { ScalarKey, SectionKey } from './schema.ts';

export const SETTING_HELP: Record<ScalarKey | SectionKey, string> = {
  model: 'The model that is asked; /model changes it for the session.',
  provider: 'Who serves the model: a ready one by its name, or one of the config.',
  baseUrl: 'The address of the server.',
  apiKey: 'The key that the server is shown. It is kept in the config file and never shown whole.',
  approval: 'Whether tools that change things ask first, run, or are refused.',
  system: 'A system prompt in place of the default one.',
  maxSteps: 'How many tool steps a turn may take.',
  maxToolCalls: 'How many tool calls a turn may take.',
  inboxLimit: 'How many inputs may wait in the queue.',
  afterInterrupt: 'What the queue does after an interrupt: wait for you, or start with its first input.',
  stallTimeoutMs: 'How long an answer may stand still before it counts as stalled, in milliseconds.',
  toolTimeoutMs: 'How long a tool may run, in milliseconds.',
  theme: 'Colours: by the background of the terminal, or always the same.',
  statusBar: 'What the line below the composer tells, in that order.',
  notify: 'Whether the terminal calls you when a turn ends, fails or asks.',
  notifyBy: 'By what it calls you.',
  color: 'Colours at all.',
  ascii: 'Plain signs only, for terminals without Unicode.',
  screenReader: 'Output for a screen reader.',
  providers: 'Part of a provider of your own.',
  rules: 'Calls of tools that need no question in a workspace.',
  mcpServers: 'A server of tools.',
  hooks: 'Commands that run around what a turn does.',
  keys: 'The keys of one action, in place of its own.',
};
