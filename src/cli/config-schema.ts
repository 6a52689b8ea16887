// The shape of a config file. Loaded only when there is one: zod costs more to load than the mock itself.

import { config as configureZod, z } from 'zod';
import { count } from '../terminal/count.ts';
import { describeIssue } from '../terminal/issue-text.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import type { CasaConfig } from './settings.ts';

// Without this, zod probes `new Function`, which is an error under some policies.
configureZod({ jitless: true });

const seed = z.int().min(0).max(0xffff_ffff);

const schema = z.strictObject({
  $schema: z.string().optional(),
  port: z.int().min(0).max(65_535).optional(),
  host: z.string().min(1).optional(),
  cors: z.boolean().optional(),
  corsOrigin: z.array(z.string()).optional(),
  corsHeaders: z.array(z.string()).optional(),
  corsCredentials: z.boolean().optional(),
  world: z.string().optional(),
  data: z.string().min(1).optional(),
  watch: z.boolean().optional(),
  save: z.string().min(1).optional(),
  saveSync: z.string().optional(),
  shared: z.string().min(1).optional(),
  drainS: z.number().min(0).max(300).optional(),
  upstream: z.string().min(1).optional(),
  forward: z.array(z.string()).optional(),
  upstreamKey: z.array(z.string()).optional(),
  record: z.string().min(1).optional(),
  seed: seed.optional(),
  relaxed: z.boolean().optional(),
  limits: z.boolean().optional(),
  settleS: z.number().min(0).max(86_400).optional(),
  strict: z.boolean().optional(),
  grease: z.union([z.boolean(), seed]).optional(),
  fault: z.array(z.string()).optional(),
  mutant: z.string().min(1).optional(),
  choice: z.record(z.string(), z.string()).optional(),
  choices: z.record(z.string(), z.string()).optional(),
  profile: z.string().min(1).optional(),
  latency: z.boolean().optional(),
  trustProxy: z.boolean().optional(),
  publicUrl: z.string().optional(),
  adminToken: z.string().optional(),
  readyFile: z.string().min(1).optional(),
  verbose: z.boolean().optional(),
  quiet: z.boolean().optional(),
}) satisfies z.ZodType<CasaConfig>;

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
