// The shape of a world file, in zod. Records that the contract describes are only counted here; check.ts
// holds them against the contract's schemas.
import * as z from 'zod';
import type { Provider } from '../contract/generated/types.ts';
import { isDateTime } from '../contract/timestamps.ts';
import { providerActions } from '../domain/actions.ts';
import { describeIssue } from '../terminal/issue-text.ts';
import { joinPath, type ProblemList, unknownField } from './cross-checks.ts';

const worldSchema = withoutEval(() => {
  const timestamp = z.string().refine(isDateTime, 'not an ISO 8601 date-time');
  const name = z.string().min(1);
  const records = z.array(z.unknown());
  // 5.key-form: a short prefix, an underscore, 32 hexadecimal characters.
  const keyText = z.string().regex(/^[a-z][a-z0-9-]{0,15}_[0-9a-f]{32}$/i);
  const post = z.strictObject({
    postId: name,
    permalink: z.string().nullable(),
    text: z.string(),
    imageUrl: z.string().optional(),
    link: z.string().optional(),
    postedAt: timestamp,
  });
  // Loose: the fields that the contract knows, and unknown ones, are looked at by check.ts.
  const account = z.looseObject({
    posts: z.array(post),
    reviews: records,
    isReplied: z.boolean().optional(),
    metrics: z.array(z.strictObject({ key: name, label: z.string(), dailyMean: z.number().nonnegative() })),
    trouble: z.enum(['provider_error', 'transient', 'rate_limited']).optional(),
  });
  const link = z.strictObject({
    id: name,
    token: z.string().regex(/^[\w-]+$/),
    label: z.string().refine((text) => text !== '' && [...text].length <= 80, 'not 1 to 80 characters long'),
    provider: z.enum(Object.keys(providerActions) as [Provider, ...Provider[]]),
    maxAccounts: z.int().min(1).max(20),
    expiresAt: timestamp,
    usedAt: timestamp.nullable(),
    accountIds: z.array(z.string()),
  });
  const call = z.strictObject({
    id: name,
    direction: z.enum(['inbound', 'outbound']),
    from: z.string(),
    to: z.string(),
    agent: z.string(),
    startedAt: timestamp,
    endedAt: timestamp,
    reportedAt: timestamp.optional(),
    visibleAt: timestamp.optional(),
    provisional: z.string(),
    outcome: z.string(),
  });
  const organization = z.strictObject({
    id: name,
    name: z.string(),
    payment: z.enum(['ok', 'payment_method_required', 'renewal_pending']),
    keys: z.array(z.strictObject({ key: keyText, label: z.string(), revoked: z.boolean() })),
    sites: records,
    articles: records,
    keywords: records,
    accounts: z.array(account),
    links: z.array(link),
    calls: z.array(call),
    ...toolRecords(timestamp, name),
  });
  return z.strictObject({
    casaWorld: z.literal(1),
    anchor: timestamp,
    fixedTimes: z.array(timestamp).optional(),
    seed: z.int().nonnegative(),
    organizations: z.array(organization).min(1),
  });
});

// Records that only tools of the MCP endpoint show. A world may be without them.
function toolRecords(timestamp: z.ZodString, name: z.ZodString) {
  const inboxMessage = z.strictObject({
    messageId: name,
    accountId: name,
    provider: z.enum(Object.keys(providerActions) as [Provider, ...Provider[]]),
    from: z.string(),
    text: z.string(),
    receivedAt: timestamp,
    read: z.boolean(),
  });
  const customer = z.strictObject({
    customerId: name,
    name: z.string(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    createdAt: timestamp,
  });
  const contact = z.strictObject({
    contactId: name,
    phone: name,
    name: z.string().nullable(),
    email: z.string().nullable(),
    fields: z.record(z.string(), z.string()),
    importedAt: timestamp,
  });
  return {
    inbox: z.array(inboxMessage).optional(),
    customers: z.array(customer).optional(),
    contacts: z.array(contact).optional(),
  };
}

export function checkShape(value: unknown, problems: ProblemList): void {
  const { error } = worldSchema.safeParse(value, { jitless: true, reportInput: true });
  const isName = ({ code }: z.core.$ZodIssue) => Number(code === 'unrecognized_keys');
  // A mistyped name comes first: it explains the missing one.
  for (const issue of [...(error?.issues ?? [])].sort((a, b) => isName(b) - isName(a))) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        problems.add(joinPath([...issue.path, key]), unknownField(key, fieldsAt(issue.path)));
    } else {
      problems.add(joinPath(issue.path), describeIssue(issue));
    }
  }
}

/** The fields of the object at a path of a world, as far as the schema lists them. */
export function fieldsAt(path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = worldSchema;
  for (const segment of path) {
    if (at instanceof z.ZodOptional) at = at.unwrap();
    at = at instanceof z.ZodObject ? at.shape[String(segment)] : at instanceof z.ZodArray ? at.element : undefined;
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

// zod asks whether it may make functions out of text as soon as an object schema is made; we never want it to, and we
// do not want to decide that for other users of zod in the same process.
function withoutEval<T>(make: () => T): T {
  const jitless = z.config().jitless;
  z.config({ jitless: true });
  try {
    return make();
  } finally {
    z.config({ jitless });
  }
}
