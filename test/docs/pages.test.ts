/** The documents in src/docs are those that the tables give; `npm run docs` writes them anew. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PAGES } from '../../src/docs/pages.ts';
import { eventTraits } from '../../src/domain/event.ts';
import { eventFields } from '../../src/edge/wire/event-codec.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'src', 'docs');

it.each(Object.entries(PAGES))('%s is not stale', (name, page) => {
  const path = join(DOCS, name);
  const text = page();
  if (process.env.UPDATE_DOCS) writeFileSync(path, text);
  expect(readFileSync(path, 'utf8'), 'npm run docs writes it anew').toBe(text);
});

it('there are no others', () => {
  expect(readdirSync(DOCS).filter((name) => name.endsWith('.md'))).toEqual(Object.keys(PAGES));
});

it('every event and each of its fields is told', () => {
  const text = PAGES['events.md']?.() ?? '';
  for (const type of Object.keys(eventTraits)) expect(text).toContain(`\n## ${type}\n`);
  const { form } = eventFields.PermissionDecided;
  if (form.is !== 'object') throw new Error('an event is an object');
  const section = /## PermissionDecided\n[\s\S]*?(?=\n## )/.exec(text)?.[0] ?? '';
  expect(section).toContain('*enduring* · carries `session_id`, `loop_id`, `turn_id`, `step_id`');
  expect(section).toContain('| `source` | `"user"` or `"policy"` or `"abandoned"` | always |');
  expect(section).toContain('| `scope` | `"once"` or `"session"` or `"always"` | optional |');
  for (const name of ['tool_execution_id', 'tool_use_id', 'effect', 'reason', 'cause'])
    expect([name, form.fields.some((field) => field.name === name), section.includes(`| \`${name}\` |`)]).toEqual([
      name,
      true,
      true,
    ]);
});

it('every event and command says when it happens or what it does', () => {
  for (const name of ['events.md', 'commands.md'])
    expect(PAGES[name]?.()).not.toMatch(/\n## (?!Shapes|Kinds)\w+\n\n(?:\||\*|#|$)/);
});

it('nothing in them could not be put into words', () => {
  for (const page of Object.values(PAGES)) expect(page()).not.toMatch(/undefined|\[object/);
});
