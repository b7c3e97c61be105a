/** The subcommands, each loaded when it is started: none pays for another. */
import type { Commands } from './invocation.ts';

export const commands: Commands = {
  chat: async (invocation) => (await import('./chat.ts')).runChat(invocation),
  exec: async (invocation, words) => (await import('./exec.ts')).runExec(invocation, words),
  stdio: async (invocation) => (await import('./stdio.ts')).runStdio(invocation),
  sessions: async (invocation, sub, args, flags) =>
    (await import('./sessions.ts')).runSessions(invocation, sub, args, flags),
  audit: async (invocation, sessionId) => (await import('./audit.ts')).runAudit(invocation, sessionId),
  config: async (invocation, sub, args) => (await import('./config.ts')).runConfig(invocation, sub, args),
  doctor: async (invocation) => (await import('./doctor.ts')).runDoctor(invocation),
};
