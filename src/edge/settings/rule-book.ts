/** Where an `always` grant is kept: under `rules` of the user's config, by workspace. */
import type { Rule, RuleBook } from '../../runtime/ports.ts';
import { getAt, isObject, setAt } from './config-key.ts';
import { updateConfig } from './config-store.ts';

/** `initial` are the workspace's rules as the settings gave them at the start; `workspace` is its real path. */
export function createRuleBook(configPath: string, workspace: string, initial: readonly Rule[]): RuleBook {
  const rules = [...initial];
  return {
    rules: () => rules,
    async add(rule) {
      await updateConfig(configPath, (values) => withRule(values, workspace, rule));
      if (!rules.some((known) => same(known, rule))) rules.push(rule);
    },
  };
}

function withRule(values: Record<string, unknown>, workspace: string, rule: Rule): Record<string, unknown> {
  const stored = getAt(values, ['rules', workspace]);
  const known: unknown[] = Array.isArray(stored) ? stored : [];
  if (known.some((entry) => isObject(entry) && same(entry as unknown as Rule, rule))) return values;
  return setAt(values, ['rules', workspace], [...known, { toolName: rule.toolName, covers: rule.covers }]);
}

const same = (a: Rule, b: Rule) => a.toolName === b.toolName && a.covers === b.covers;
