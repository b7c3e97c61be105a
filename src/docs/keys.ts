/** The document of what the chat takes: keys and commands. */
import { type KeyContext, keyBindings } from '../view/key-bindings.ts';
import { twinOf } from '../view/key-twins.ts';
import { SLASH_COMMANDS, type SlashCommand } from '../view/slash-commands.ts';
import { code, GENERATED, page, table } from './table.ts';

const CONTEXTS: Record<KeyContext, string> = {
  composer: 'While writing',
  completion: 'While completions are shown',
  queue: 'In the queue and the returned inputs',
  gate: 'While a question is open',
  overlay: 'In the transcript, in lists and in the help',
  anywhere: 'Anywhere',
};

export function keysPage(): string {
  const commands = SLASH_COMMANDS as readonly SlashCommand[];
  return page(
    '# Keys and commands of the chat',
    GENERATED,
    `Every key can be bound to another action under \`keys\` in the config, by the name in the last column, such as
\`harness-chat config set keys.hold alt+h\`; a conflict is refused by name. Where two actions share a key, the one whose place
is open goes first.`,
    ...(Object.keys(CONTEXTS) as KeyContext[]).map((context) =>
      page(
        `## ${CONTEXTS[context]}`,
        table(
          ['key', 'does', 'command', 'action'],
          keyBindings
            .filter((binding) => binding.context === context)
            .map(({ keys, help, action }) => {
              const slash = twinOf(action);
              return [keys.map(code).join(' '), help, slash ? code(slash) : '', code(action)];
            }),
        ),
      ).trimEnd(),
    ),
    '## Commands',
    `A leading space, or the slash twice, sends it as text. \`/\` alone lists them all. Each can be given a key of its own by its
name with the slash, such as \`harness-chat config set keys./status f2\`.`,
    table(
      ['command', 'does', 'also'],
      commands.map(({ name, argument, help, aliases = [] }) => [
        code(`/${name}${argument ? ` ${argument}` : ''}`),
        help,
        aliases.map((alias) => code(`/${alias}`)).join(' '),
      ]),
    ),
  );
}
