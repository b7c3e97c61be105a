/** The clipboard of the terminal that the person sits at, also through ssh and tmux. */

/** The escape sequence (OSC 52) that asks the terminal to take `text`; tmux passes it on where it is allowed to. */
export function copySequence(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const sequence = `\x1b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\x07`;
  return env.TMUX ? `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\${sequence}` : sequence;
}
