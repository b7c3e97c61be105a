/** `ask_user`: a question to the person; the gate is the question, the answer the result. */
import * as z from 'zod';
import type { Tool } from '../../domain/tool.ts';
import { refused, said } from './result.ts';
import { parameters } from './schema.ts';

const schema = parameters({
  question: z.string().min(1),
  choices: z
    .array(z.string().min(1))
    .max(9)
    .optional()
    .describe('Answers to choose from; the person may give another one'),
});

export function createAskUserTool(): Tool<{ question: string; choices?: string[] }> {
  return {
    name: 'ask_user',
    description:
      'Asks the person a question and waits for the answer. Only for what you cannot find out or decide yourself.',
    parameters: schema,
    changes: false,
    summary: ({ question }) => question.replace(/\s+/g, ' '),
    access: async ({ question, choices }) => ({
      kind: 'ask',
      detail: question,
      grants: [],
      question: { question, choices: choices ?? [] },
    }),
    run: async (_, { answer }) =>
      answer === undefined
        ? refused('Nobody answered: decide yourself, or end with the question.')
        : said(answer || '(an empty answer)'),
  };
}
