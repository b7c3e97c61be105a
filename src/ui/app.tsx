/**
 * The one component tree: it shows the picture it is told, and decides nothing. It reads no keys: Ink's reading cannot be
 * stopped while another program has the terminal, and takes every key apart a second time.
 */
import { Text, useCursor, useStdout } from 'ink';
import { useEffect, useSyncExternalStore } from 'react';
import type { Screen } from '../view/screen.ts';

/** The picture of the moment. */
export class PictureCell {
  #screen: Screen;
  readonly #listeners = new Set<() => void>();

  constructor(screen: Screen) {
    this.#screen = screen;
  }
  get = (): Screen => this.#screen;
  set(screen: Screen): void {
    this.#screen = screen;
    for (const listener of this.#listeners) listener();
  }
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export interface AppProps {
  cell: PictureCell;
  /** Called once, with Ink's own way to print above the region. */
  ready(write: (text: string) => void): void;
}

export function App({ cell, ready }: AppProps) {
  const { write } = useStdout();
  const screen = useSyncExternalStore(cell.subscribe, cell.get);
  const { setCursorPosition } = useCursor();
  setCursorPosition(screen.cursor);

  useEffect(() => ready(write), [ready, write]);

  // One text for all lines: they are wrapped and painted already, and a frame's cost is Ink's, by lines and columns.
  return <Text wrap="truncate">{screen.lines.join('\n')}</Text>;
}
