// Differences between two states of the world, as records: for tests and graders that compare the end state.
import type { OrganizationData } from '../domain/world-data.ts';
import { redactKey } from './redaction.ts';
import type { WorldState } from './snapshot.ts';

/** Kinds of records, in the order in which a diff lists them. */
export const recordKinds = [
  'organizations',
  'keys',
  'sites',
  'articles',
  'keywords',
  'accounts',
  'posts',
  'reviews',
  'links',
  'calls',
  'inbox',
  'customers',
  'contacts',
] as const;
export type RecordKind = (typeof recordKinds)[number];

/** One record of an organization. Posts and reviews also have the `accountId` of their account. */
export interface DiffRecord {
  readonly kind: RecordKind;
  readonly id: string;
  readonly organizationId: string;
  readonly accountId?: string;
}

/** Differences between two states of the mock. A record of a world that was replaced is removed. */
export interface WorldDiff {
  /** Number of records that were added, changed or removed, by kind; kinds without changes are absent. */
  readonly counts: { readonly [Kind in RecordKind]?: number };
  readonly added: readonly (DiffRecord & { readonly record: Fields })[];
  /** Each changed field with both of its values; null for a field that is absent. */
  readonly changed: readonly (DiffRecord & {
    readonly fields: { readonly [field: string]: { readonly before: unknown; readonly after: unknown } };
  })[];
  readonly removed: readonly (DiffRecord & { readonly record: Fields })[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Only of one organization if `organizationId` is given. */
export function diffWorlds(before: WorldState, after: WorldState, organizationId?: string): WorldDiff {
  const [old, now] = [before, after].map((state) => {
    const own = state.filter(({ id }) => organizationId === undefined || id === organizationId);
    return new Map(own.flatMap(recordsOf).map((each) => [JSON.stringify(each.place), each]));
  }) as [Map<string, ReturnType<typeof found>>, Map<string, ReturnType<typeof found>>];
  const missingIn = (others: ReadonlyMap<string, unknown>, own: typeof old) =>
    [...own].flatMap(([place, { place: _, ...each }]) => (others.has(place) ? [] : [each]));
  const changed = [...now].flatMap(([place, { place: _, record, ...each }]) => {
    const fields = changedFields(old.get(place)?.record ?? record, record);
    return Object.keys(fields).length === 0 ? [] : [{ ...each, fields }];
  });
  const diff = { added: missingIn(old, now), changed, removed: missingIn(now, old) };
  const kinds = [...diff.added, ...diff.changed, ...diff.removed].map(({ kind }) => kind);
  const counts = recordKinds.flatMap((kind) => {
    const count = kinds.filter((each) => each === kind).length;
    return count === 0 ? [] : [[kind, count]];
  });
  return { counts: Object.fromEntries(counts), ...diff };
}

/** A record with its place in a world, which identifies it. */
function found(place: readonly string[], record: object, more: Omit<DiffRecord, 'id'>) {
  return { place: [more.kind, more.organizationId, ...place], id: place.at(-1) ?? '', ...more, record: { ...record } };
}

/** Keys and tokens are secrets, so the records are without them. Field names are those of a world file. */
function recordsOf({ accounts, keys, links, id: organizationId, name, payment, ...lists }: OrganizationData) {
  const of = (kind: RecordKind, id: string, record: object) => found([id], record, { kind, organizationId });
  const ofAccount = (kind: RecordKind, accountId: string, [id, record]: [string, object]) =>
    found([accountId, id], record, { kind, organizationId, accountId });
  return [
    of('organizations', organizationId, { name, payment }),
    ...keys.map(({ key, ...rest }) => of('keys', redactKey(key), rest)),
    ...lists.sites.map((each) => of('sites', each.id, each)),
    ...lists.articles.map((each) => of('articles', each.id, each)),
    ...lists.keywords.map((each) => of('keywords', each.id, each)),
    ...accounts.flatMap(({ posts, reviews, isReplied: _, ...account }) => [
      of('accounts', account.accountId, account),
      ...posts.map((post) => ofAccount('posts', account.accountId, [post.postId, post])),
      ...reviews.map((review) => ofAccount('reviews', account.accountId, [review.reviewId, review])),
    ]),
    ...links.map(({ token: _, ...link }) => of('links', link.id, link)),
    ...lists.calls.map((each) => of('calls', each.id, each)),
    ...(lists.inbox ?? []).map((each) => of('inbox', each.messageId, each)),
    ...(lists.customers ?? []).map((each) => of('customers', each.customerId, each)),
    ...(lists.contacts ?? []).map((each) => of('contacts', each.contactId, each)),
  ];
}

function changedFields(before: Fields, after: Fields) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(
    differing.map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  );
}
