// Judges what a save file holds and we have not written: lines of older versions, and those that somebody wrote or
// mended. Loads zod and the checks of world files, so it is itself loaded only when there is such a line.
import { z } from 'zod';
import { formatInstant } from '../../contract/instants.ts';
import { type Call, toCallData } from '../../domain/call.ts';
import { Contacts } from '../../domain/contacts.ts';
import { readSent } from '../../domain/imports.ts';
import type { Link } from '../../domain/links.ts';
import type { World } from '../../domain/world.ts';
import type { OrganizationData } from '../../domain/world-data.ts';
import {
  call,
  clock,
  describe,
  faultEntry,
  faults,
  id,
  judgeOrganizations,
  limits,
  link,
  ms,
  position,
  record,
  snapshot,
} from '../../engine/snapshot-check.ts';

const organizationId = id;
const accountId = id;
const row = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
const change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('link'), organizationId, link: z.looseObject(link.shape) }),
  z.object({ kind: z.literal('post'), organizationId, accountId, post: record }),
  z.object({ kind: z.literal('reply'), organizationId, accountId, reviewId: id, text: z.string().min(1) }),
  z.object({
    kind: z.literal('consent'),
    organizationId,
    link: z.looseObject(link.shape),
    accounts: z.array(record),
  }),
  z.object({ kind: z.literal('organization'), organization: record }),
  z.object({ kind: z.literal('account'), organizationId, account: record }),
  z.object({ kind: z.literal('article'), organizationId, article: record }),
  z.object({
    kind: z.literal('payment'),
    organizationId,
    payment: z.enum(['ok', 'payment_method_required', 'renewal_pending']),
  }),
  z.object({
    kind: z.literal('import'),
    organizationId,
    sent: z.union([z.object({ csv: z.string() }), z.object({ rows: z.array(row) })]),
    contactIds: z.array(id),
    importedAt: z.string(),
  }),
  z.object({ kind: z.literal('contacts'), organizationId, contacts: z.array(record) }),
  z.object({ kind: z.literal('call'), organizationId, call: z.looseObject(call.shape) }),
  z.object({ kind: z.literal('clock'), clock }),
  z.object({ kind: z.literal('faults'), faults, random: position }),
  z.object({ kind: z.literal('fault'), id: z.string(), entry: faultEntry.nullable(), random: position }),
  z.object({ kind: z.literal('limits'), limits }),
  z.object({ kind: z.literal('reset') }),
  z.object({ kind: z.literal('restore'), snapshot }),
]);

const entry = z.object({ change, atMs: ms, random: position });
/** With `--watch`, a snapshot also tells what is to be made again on another world. */
const savedSnapshot = snapshot.extend({ clientChanges: z.array(entry).optional() });
/** As read from a file: nothing says yet that it fits the world. */
type Change = z.infer<typeof change>;

/** What is wrong, as half a sentence; null when it can be taken. */
export async function judgeSnapshot(value: unknown): Promise<string | null> {
  const read = savedSnapshot.safeParse(value, { reportInput: true });
  if (!read.success) return describe(read.error, 'snapshot');
  for (const each of read.data.clientChanges ?? []) {
    const problem = await judgeRecords(each.change);
    if (problem !== null) return `clientChanges: ${problem}`;
  }
  return judgeOrganizations(read.data.world);
}

/** The same of a change that is to be made to this world. */
export async function judgeChange(value: unknown, world: World): Promise<string | null> {
  const read = entry.safeParse(value, { reportInput: true });
  if (!read.success) return describe(read.error, 'change');
  return findMissing(read.data.change, world) ?? (await judgeRecords(read.data.change));
}

/** The record that a change builds on has to be there; without it, replaying would silently do nothing. */
function findMissing(made: Change, world: World): string | null {
  if (!('organizationId' in made)) return null;
  const organization = world.organizations.get(made.organizationId);
  if (!organization) return `there is no organization "${made.organizationId}"`;
  if (!('accountId' in made)) return null;
  const account = organization.accounts.get(made.accountId.toLowerCase());
  if (!account) return `there is no account "${made.accountId}"`;
  if (made.kind !== 'reply' || account.reviews.get(made.reviewId)) return null;
  return `the account has no review "${made.reviewId}"`;
}

// Records are judged as those of a world file are: as the only ones of an organization.
async function judgeRecords(made: Change): Promise<string | null> {
  switch (made.kind) {
    case 'link':
      return judgeOrganization({ links: [toLinkData(made.link)] });
    case 'consent':
      return judgeOrganization({ links: [{ ...toLinkData(made.link), accountIds: [] }], accounts: made.accounts });
    case 'post':
      return judgeOrganization({ accounts: [{ ...anyAccount, posts: [made.post] }] });
    case 'account':
      return judgeOrganization({ accounts: [made.account] });
    case 'article':
      return judgeOrganization({ sites: [{ ...anySite, id: made.article.siteId }], articles: [made.article] });
    case 'import':
      return judgeImport(made);
    case 'contacts':
      return judgeOrganization({ contacts: made.contacts });
    case 'call':
      return judgeOrganization({ calls: [toCallData(made.call as unknown as Call)] });
    case 'organization':
      return judgeOrganizations([made.organization]);
    case 'restore':
      return judgeOrganizations(made.snapshot.world);
    default:
      return null;
  }
}

/** As many ids as contacts, and nothing in them that an import would refuse. */
async function judgeImport({ sent, ...given }: Extract<Change, { kind: 'import' }>): Promise<string | null> {
  const contacts = new Contacts();
  const read = readSent(sent);
  if (!read.ok) return `the import cannot be read: ${read.refusal.message}`;
  const [problem] = read.value.problems();
  if (problem) return `the import cannot be read: ${problem.message}`;
  const count = read.value.keys.length;
  if (given.contactIds.length !== count) return `contactIds has ${given.contactIds.length} ids for ${count} contacts`;
  contacts.putImport(read.value, given);
  return judgeOrganization({ contacts: contacts.toData() });
}

/** The form in which world files have it, and in which it is checked. */
function toLinkData(value: object): object {
  const { expiresAtMs, usedAtMs, ...rest } = value as Link;
  const usedAt = usedAtMs === null ? null : formatInstant(usedAtMs);
  return { ...rest, expiresAt: formatInstant(expiresAtMs), usedAt };
}

const anySite = { name: 'Any', domain: 'any.example', cms: 'any', language: 'en', createdAt: '2026-01-01T00:00:00Z' };

const anyAccount = {
  accountId: '00000000-0000-4000-8000-000000000000',
  provider: 'facebook_page',
  label: 'Any',
  name: 'Any',
  status: 'connected',
  locked: false,
  connectedAt: '2026-01-01T00:00:00Z',
  reviews: [],
  metrics: [],
};

const anyOrganization: OrganizationData = {
  id: 'any',
  name: 'Any',
  payment: 'ok',
  keys: [],
  sites: [],
  articles: [],
  keywords: [],
  accounts: [],
  links: [],
  calls: [],
};

/** The checks of world files are used for single records too, so that there is one idea of a good record. */
function judgeOrganization(records: object): Promise<string | null> {
  return judgeOrganizations([{ ...anyOrganization, ...records }]);
}
