// The shape of a config file. Loaded only when there is one: zod costs more to load than the mock itself.

import { config as configureZod, z } from 'zod';
import { type Kind, type Kinds, optionRows } from '../options/mock-options.ts';
import { count } from '../terminal/count.ts';
import { describeIssue } from '../terminal/issue-text.ts';
import { didYouMean } from '../terminal/suggestion.ts';

// Without this, zod probes `new Function`, which is an error under some policies.
configureZod({ jitless: true });

const kinds: { readonly [K in Kind]: (max: number | undefined) => z.ZodType<Kinds[K]> } = {
  switch: () => z.boolean(),
  text: () => z.string().min(1),
  texts: () => z.array(z.string()),
  whole: (max = 0) => z.int().min(0).max(max),
  seconds: (max = 0) => z.number().min(0).max(max),
  seed: (max = 0) => z.union([z.boolean(), z.int().min(0).max(max)]),
  pairs: () => z.record(z.string(), z.string()),
};

const schema = z.strictObject({
  $schema: z.string().optional(),
  ...Object.fromEntries(optionRows.map(([name, { kind, max }]) => [name, kinds[kind](max).optional()])),
});

/** The problem of a config, in one sentence; null for a good one. */
export function checkConfig(value: unknown): string | null {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return null;
  const issue = result.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const name = issue.keys[0] as string;
    return `there is no setting "${name}".${didYouMean(name, Object.keys(schema.shape))}`;
  }
  if (!issue) return 'it is not a config.';
  const more = result.error.issues.length - 1;
  const others = more > 0 ? ` (and ${count(more, 'more problem')})` : '';
  return `${issue.path.join('.') || 'the config'} is ${describeIssue(issue)}${others}.`;
}
