// Checks a snapshot that comes over the admin API. Loads zod and the checks of world files, so it is itself loaded
// only when there is one.
import { z } from 'zod';
import { whyNoSource } from '../contract/profile.ts';
import { networkFaults } from '../domain/faults.ts';
import { describeIssue } from '../terminal/issue-text.ts';
import { readWorld } from '../worlds/load.ts';

z.config({ jitless: true });

const ms = z.int().min(-62_135_596_800_000).max(253_402_300_799_999);
const position = z.int().min(0).max(0xffff_ffff);
const record = z.record(z.string(), z.unknown());

const clock = z.object({ baseMs: ms, sourceMs: ms, scale: z.number().min(0) });
const rule = z.object({
  id: z.string(),
  match: z.object({
    operation: z.string().optional(),
    accountId: z.string().optional(),
    key: z.string().optional(),
    ip: z.string().optional(),
  }),
  error: z.string().optional(),
  respond: z
    .object({
      status: z.int().min(200).max(599).optional(),
      body: z.unknown(),
      headers: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  network: z.enum(networkFaults).optional(),
  latencyMs: z.int().min(0).max(600_000).optional(),
  retryAfterS: z.int().min(0).nullish(),
  resetS: z.int().min(0).optional(),
  skip: z.int().min(0).optional(),
  times: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
});
const faultEntry = z.object({ rule, struck: z.int().min(0), passed: z.int().min(0).optional() });
const faults = z.object({ rules: z.array(faultEntry).max(1_000), lastNumber: z.int().min(0).optional() });
const bucket = z.object({ limit: z.int().min(1), windowMs: z.int().min(1) });
const limits = z.object({ enforced: z.boolean(), address: bucket, key: bucket });
const window = z.object({ buckets: z.record(z.string(), z.array(z.number())) });
const behaviors = z.unknown().superRefine((value, context) => {
  const problem = value === undefined ? null : whyNoSource(value);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

/** Without the history of requests. */
const snapshot = z.object({
  casaSnapshot: z.literal(1),
  world: z.array(record).min(1),
  limits: z.object({
    settings: limits,
    windows: z.object({ address: window, key: window, blocks: z.int().min(0) }),
  }),
  clock,
  random: z.object({ world: position, faults: position, grease: position.nullable() }),
  faults,
  behaviors: behaviors.optional(),
});

/** Returns why a snapshot is invalid, as half a sentence; null when it can be restored. */
export async function judgeStored(value: unknown): Promise<string | null> {
  const read = snapshot.safeParse(value, { reportInput: true });
  return read.success ? judgeOrganizations(read.data.world) : describe(read.error, 'snapshot');
}

// One by one: organizations that were copied from one another share the ids of their records.
async function judgeOrganizations(organizations: readonly object[]): Promise<string | null> {
  for (const organization of organizations) {
    const world = { casaWorld: 1, anchor: '2026-01-01T00:00:00Z', seed: 0, organizations: [organization] };
    const violation = await readWorld(world);
    if (!violation.ok) return (violation.problems[0] as string).replace(/^organizations\[0\]\./, '');
  }
  return null;
}

/** The first problem with its place. */
function describe({ issues }: z.ZodError, what: string): string {
  const [issue] = issues;
  return `${[what, ...(issue?.path ?? [])].map(String).join('.')}: ${issue ? describeIssue(issue) : 'not readable'}`;
}
