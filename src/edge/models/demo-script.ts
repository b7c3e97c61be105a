/** What the demo model answers to what. Pure; the first row that fits wins. */
import { ATTACHED } from '../../domain/attached.ts';
import { type Message, type ToolMessage, textOf } from '../../domain/content.ts';
import type { ModelRequest } from '../../runtime/ports.ts';

export type DemoReply =
  | { do: 'say'; text: string }
  | { do: 'call'; text: string; calls: { name: string; input: Record<string, unknown> }[] }
  /** Says `text` and then fails, or says nothing more, or ends. */
  | { do: 'fail' | 'stall' | 'nothing'; text: string };

const HOW_TO_SET = `To use a real model, set one of these and start again:

- \`OPENAI_API_KEY\`, and \`OPENAI_MODEL\` for another than the default one
- \`--base-url http://127.0.0.1:11434/v1 --model NAME\` for a server on this machine
- the same, kept: \`harness-chat config set baseUrl …\``;

const HELP = `# This is the demo

I am the built-in **demo** model: no network, no key, and no understanding either. I answer by rote, but everything around me is real:
the queue, the tools, the permissions, the journal.

| say | and I |
| --- | --- |
| \`read README.md\` | call the tool \`read_file\` |
| \`list the files\` | call the tool \`list_files\` |
| \`run ls\` | call the tool \`shell\`, which asks you first |
| \`count to 50\` | talk for a while: type on, queue, retract, interrupt |
| \`show markdown\` | show what an answer can look like |
| \`fail\`, \`stall\`, \`say nothing\` | do just that |
| \`call tools for ever\` | go on until the limit of a turn |

${HOW_TO_SET}
`;

const MARKDOWN = `## An answer of the demo model

Some *emphasis*, some **weight**, \`code\` and a [link](https://example.com).

1. first
2. second
   - with a part

> A quotation.

\`\`\`js
const answer = [1, 2, 3].map((n) => n * 14);
console.log(answer.at(-1));
\`\`\`

| left | right |
| :--- | ----: |
| one | 1 |
| two | 22 |
`;

const COUNT_LIMIT = 1000;
const countTo = (limit: number): string =>
  Array.from(
    { length: Math.min(Math.max(limit, 1), COUNT_LIMIT) },
    (_, n) => `${n + 1}. this is line ${n + 1} of the demo\n`,
  ).join('');

/** A path as a person writes it in a sentence. */
const bare = (words: string): string =>
  words
    .trim()
    .replace(/^(?:the\s+|a\s+)?(?:file|folder|directory)\s+(?=\S)/i, '')
    .replace(/^[`'"]+|[`'"]+$/g, '')
    .replace(/(?<=\w)[.!?]+$/, '');
const listed = (words: string): string[] =>
  words
    .split(/\s*,\s*|\s+and\s+/i)
    .map(bare)
    .filter((path) => path !== '');

type Row = [pattern: RegExp, answer: (match: RegExpExecArray) => DemoReply];
const call = (name: string, inputs: Record<string, unknown>[]): DemoReply => ({
  do: 'call',
  text: `I call \`${name}\`.\n`,
  calls: inputs.map((input) => ({ name, input })),
});

const ROWS: readonly Row[] = [
  [/\btools?\b.*\b(?:for ?ever|endless(?:ly)?|without end)\b/, () => call('list_files', [{ path: '.' }])],
  [
    /^(?:say|answer(?: with)?|reply(?: with)?) nothing$|^empty(?: answer| reply)?$/,
    () => ({ do: 'nothing', text: '' }),
  ],
  [/^(?:fail|error|break|crash)\b/, () => ({ do: 'fail', text: 'I begin to answer, and then ' })],
  [/^(?:stall|hang|freeze)\b/, () => ({ do: 'stall', text: 'I begin to answer, and then ' })],
  [
    /^(?:read|open|show me|cat) (?!markdown)(.+)$/,
    ([, words = '']) =>
      call(
        'read_file',
        listed(words).map((path) => ({ path })),
      ),
  ],
  [
    /^(?:list|ls|show)(?:\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?files?)?(?:\s+(?:in|of|under)\s+(.+))?$/,
    ([, words]) => call('list_files', [{ path: words ? bare(words) : '.' }]),
  ],
  [/^(?:list|ls)\s+(\S+)$/, ([, path = '.']) => call('list_files', [{ path: bare(path) }])],
  [
    /^(?:run|execute|exec)\s+(.+)$|^\$\s*(.+)$/s,
    ([, one, two]) => call('shell', [{ command: (one ?? two ?? '').trim().replace(/^`+|`+$/g, '') }]),
  ],
  [/^count(?:\s+(?:up\s+)?to\s+(\d+))?/, ([, limit]) => ({ do: 'say', text: countTo(Number(limit ?? 20)) })],
  [/^(?:show\s+(?:me\s+)?)?(?:some\s+)?markdown\b/, () => ({ do: 'say', text: MARKDOWN })],
  [/^(?:help|what can you do|hello|hi|hey|who are you)\b/, () => ({ do: 'say', text: HELP })],
];

const firstLine = (text: string, limit = 200): string => {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
};

function aboutResults(results: readonly ToolMessage[], asked: string): DemoReply {
  const lines = results.map(({ blocks: [result] }) => {
    const text = textOf({ blocks: result.content });
    const count = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
    if (result.isError) return `- it did **not** work: ${firstLine(text)}`;
    return count === 0
      ? '- it worked and gave nothing back'
      : `- ${count} line${count === 1 ? '' : 's'}, the first: \`${firstLine(text, 80).replaceAll('`', "'")}\``;
  });
  const what = results.length === 1 ? 'The tool answered' : `The ${results.length} tools answered`;
  return {
    do: 'say',
    text: `${what} to “${firstLine(asked, 60)}”:\n\n${lines.join('\n')}\n\nI am the demo model: a real one would now make something of it.\n`,
  };
}

function fitting(asked: string): DemoReply | undefined {
  const text = asked.trim().replace(/^(?:please|now|then|can you|could you)\s+/i, '');
  for (const [pattern, answer] of ROWS) {
    const match = new RegExp(pattern, `${pattern.flags}i`).exec(
      /^(?:run|exec|\$)/i.test(text) ? text : text.replace(/[.!?]+$/, ''),
    );
    if (match) return answer(match);
  }
  return undefined;
}

const isTool = (message: Message): message is ToolMessage => message.role === 'tool';

export function demoReply(request: Pick<ModelRequest, 'messages' | 'tools'>): DemoReply {
  const { messages, tools } = request;
  const input = messages.findLast((message) => message.role === 'user')?.blocks ?? [];
  const asked = textOf({ blocks: input.filter((block) => block.type !== 'text' || !ATTACHED.test(block.text)) });
  const reply = fitting(asked);
  if (reply?.do === 'call') {
    const missing = reply.calls.find((wanted) => !tools.some((tool) => tool.name === wanted.name));
    if (missing)
      return {
        do: 'say',
        text: `I would call \`${missing.name}\`, but there is no such tool here. I am the demo model.\n`,
      };
  }
  const results = messages.slice(messages.findLastIndex((message) => !isTool(message)) + 1).filter(isTool);
  // asked for tools without end: the first row
  if (results.length > 0 && !ROWS[0]![0].test(asked.toLowerCase())) return aboutResults(results, asked);
  if (reply) return reply;
  const echo = asked.trim() === '' ? '' : `You wrote: “${firstLine(asked)}”\n\n`;
  return {
    do: 'say',
    text: `${echo}I am the built-in **demo** model and answer by rote. Say \`help\` to see what I can do.\n\n${HOW_TO_SET}\n`,
  };
}
