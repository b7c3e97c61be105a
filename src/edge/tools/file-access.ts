/** What a file tool asks for, and that it then touches nothing else than what it asked for. */
import type { Access } from '../../domain/tool.ts';
import { type Place, resolvePlace } from './workspace.ts';

/** Where the arguments of a call led when it was judged; the runtime runs a call with the very object it was judged by. */
const judged = new WeakMap<object, string>();

export interface FileTool<Input> {
  toolName: string;
  kind: 'free' | 'change';
  /** The path that a call is about. */
  pathOf(input: Input): string;
  /** Folders outside that may be read without a question. */
  readable?: readonly string[];
}
export interface FilePlace<Input> {
  /** The access of a call. `detail` tells what would be done there. */
  access(input: Input, cwd: string, detail: (place: Place) => string): Access;
  /** The real path, once more, right before it is used. Throws where it now leads elsewhere than what was asked for. */
  confirmed(input: Input, cwd: string): string;
}

export function filePlace<Input extends object>(tool: FileTool<Input>): FilePlace<Input> {
  const placeOf = (input: Input, cwd: string): Place => resolvePlace(tool.pathOf(input), cwd, tool.readable);
  return {
    access(input, cwd, detail) {
      const place = placeOf(input, cwd);
      judged.set(input, place.real);
      return accessTo(place, tool, detail(place));
    },
    confirmed(input, cwd) {
      const place = placeOf(input, cwd);
      const asked = judged.get(input);
      const moved = asked !== undefined && asked !== place.real;
      if (asked === place.real || (place.inside && !(moved && tool.kind === 'change'))) return place.real;
      throw new Error(
        moved
          ? `${tool.pathOf(input)} now leads to ${place.real}; the question was about ${asked}. Nothing was done; make the call again`
          : `${place.real} is ${place.why}, and nobody was asked`,
      );
    },
  };
}

function accessTo({ real, inside, why }: Place, { toolName, kind }: FileTool<never>, detail: string): Access {
  if (inside) return { kind, detail, grants: kind === 'free' ? [] : withinWorkspace(toolName) };
  const covers = `${toolName} ${real}`;
  return { kind, outside: true, detail: `${real} (${why})\n${detail}`, grants: [{ scope: 'session', covers }] };
}

const withinWorkspace = (toolName: string): Access['grants'] => {
  const covers = `${toolName} within the workspace`;
  return [
    { scope: 'session', covers },
    { scope: 'always', covers },
  ];
};
