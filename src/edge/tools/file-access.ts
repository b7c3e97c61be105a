/** What a file tool asks for, and that it then touches nothing else than what it asked for. */
import type { Access } from '../../domain/tool.ts';
import { type Place, resolvePlace } from './workspace.ts';

/** Where the arguments of a call led when it was judged; the runtime runs a call with the very object it was judged by. */
const judged = new WeakMap<object, string>();

export interface FileQuestion {
  toolName: string;
  kind: 'free' | 'change';
  path: string;
  cwd: string;
  /** Folders outside that may be read without a question. */
  readable?: readonly string[];
}

/** The access of a call to one path. `detail` tells what would be done there. */
export function fileAccess(input: object, question: FileQuestion, detail: (place: Place) => string): Access {
  const place = resolvePlace(question.path, question.cwd, question.readable);
  judged.set(input, place.real);
  const { toolName, kind } = question;
  if (place.inside) return { kind, detail: detail(place), grants: kind === 'free' ? [] : withinWorkspace(toolName) };
  const covers = `${toolName} ${place.real}`;
  return {
    kind,
    outside: true,
    detail: `${place.real} (${place.why})\n${detail(place)}`,
    grants: [{ scope: 'session', covers }],
  };
}

const withinWorkspace = (toolName: string): Access['grants'] => {
  const covers = `${toolName} within the workspace`;
  return [
    { scope: 'session', covers },
    { scope: 'always', covers },
  ];
};

/** The real path, once more, right before it is used. Throws where it now leads elsewhere than what was asked for. */
export function confirmedPath(input: object, question: FileQuestion): string {
  const place = resolvePlace(question.path, question.cwd, question.readable);
  const asked = judged.get(input);
  const moved = asked !== undefined && asked !== place.real;
  if (place.inside && !(moved && question.kind === 'change')) return place.real;
  if (asked === place.real) return place.real;
  throw new Error(
    moved
      ? `${question.path} now leads to ${place.real}; the question was about ${asked}. Nothing was done; make the call again`
      : `${place.real} is ${place.why}, and nobody was asked`,
  );
}
