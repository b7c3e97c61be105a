/**
 * What the terminal tells the program, once its bytes are understood. The decoder at the edge makes these, keymap and
 * composer read them; neither knows the other.
 */

/**
 * One key press.
 *
 * `name` is a word for keys that write nothing (`enter`, `tab`, `escape`, `backspace`, `delete`, `insert`, `up`, `down`,
 * `left`, `right`, `home`, `end`, `pageup`, `pagedown`, `begin`, `f1` … `f35`), else the character itself: as typed where
 * it is plain text (`A`, `é`, space is `' '`), in lower case with `shift` beside it where ctrl or alt is held.
 * `text` is what the key inserts; it is absent for everything that is no plain text.
 *
 * Ctrl+J (a bare line feed) is `{name: 'j', ctrl: true}`: the keymap binds it to a new line. A carriage return is `enter`.
 */
export interface KeyInput {
  readonly type: 'key';
  readonly name: string;
  readonly text?: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** Pasted text: lines end in `\n`, tabs are kept, no other control characters. It is never a command. */
export interface PasteInput {
  readonly type: 'paste';
  readonly text: string;
}

export interface FocusInput {
  readonly type: 'focus';
  readonly focused: boolean;
}

/**
 * The terminal's answer to a query; never text. `kind` is one of `background` (OSC 11) and `foreground` (OSC 10), whose
 * `data` is the colour as sent; `osc` with the whole body; `kitty` (flags), `da1`, `da2`, `cursor` ("row;column"), `mode`
 * ("mode;state"), `status`, `window`, `version`, `dcs`, `apc`.
 */
export interface ReplyInput {
  readonly type: 'reply';
  readonly kind: string;
  readonly data: string;
}

export type TerminalInput = KeyInput | PasteInput | FocusInput | ReplyInput;
