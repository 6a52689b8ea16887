// A world file was written at its anchor; a mock starts at its clock. Rebasing moves every timestamp by the distance
// between the two, so "two hours ago" stays two hours ago and all distances are kept. Two rebases in a row are
// one.
import { formatTimestamp, parseTimestamp } from '../contract/timestamps.ts';
import type { AccountData, CallData, LinkData, OrganizationData, WorldData } from '../domain/world-data.ts';

/** Moves one timestamp, in any form that the contract accepts, by the distance of this rebase. */
type Move = (timestamp: string) => string;

const nsPerMs = 1_000_000n;
/** The range of `Date`; a timestamp that would leave it stays at its edge. */
const epochMsMax = 8.64e15;
/** As the mock writes timestamps (assumption C8). Other forms are read exactly, but slower. */
const canonical = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** The world as it would read had it been written at `nowMs`. */
export function rebase(data: WorldData, nowMs: number): WorldData {
  const distanceMs = nowMs - toEpoch(data.anchor).ms;
  if (distanceMs === 0) return data;
  const fixed = new Set(data.fixedTimes);
  const move: Move = (timestamp) => (fixed.has(timestamp) ? timestamp : moveTimestamp(timestamp, distanceMs));
  return {
    ...data,
    anchor: formatTimestamp(nowMs),
    organizations: data.organizations.map((organization) => moveOrganization(organization, move)),
  };
}

function moveOrganization(organization: OrganizationData, move: Move): OrganizationData {
  return {
    ...organization,
    sites: organization.sites.map((site) => ({ ...site, createdAt: move(site.createdAt) })),
    articles: organization.articles.map((article) => ({
      ...article,
      publishedAt: moveNullable(article.publishedAt, move),
      createdAt: move(article.createdAt),
      updatedAt: move(article.updatedAt),
    })),
    keywords: organization.keywords.map((keyword) => ({ ...keyword, createdAt: move(keyword.createdAt) })),
    accounts: organization.accounts.map((account) => moveAccount(account, move)),
    links: organization.links.map((link) => moveLink(link, move)),
    calls: organization.calls.map((call) => moveCall(call, move)),
    ...moveRecords(organization, 'inbox', (message) => ({ ...message, receivedAt: move(message.receivedAt) })),
    ...moveRecords(organization, 'customers', (customer) => ({ ...customer, createdAt: move(customer.createdAt) })),
    ...moveRecords(organization, 'contacts', (contact) => ({ ...contact, importedAt: move(contact.importedAt) })),
  };
}

type Optional = 'inbox' | 'customers' | 'contacts';
type RecordOf<Name extends Optional> = NonNullable<OrganizationData[Name]>[number];

// A world that was written without these lists stays without them.
function moveRecords<Name extends Optional>(
  organization: OrganizationData,
  name: Name,
  moveOne: (record: RecordOf<Name>) => RecordOf<Name>,
): Partial<OrganizationData> {
  const records = organization[name] as readonly RecordOf<Name>[] | undefined;
  return records ? { [name]: records.map(moveOne) } : {};
}

function moveAccount(account: AccountData, move: Move): AccountData {
  return {
    ...account,
    connectedAt: moveNullable(account.connectedAt, move),
    posts: account.posts.map((post) => ({ ...post, postedAt: move(post.postedAt) })),
    reviews: account.reviews.map((review) => ({ ...review, date: move(review.date) })),
  };
}

function moveLink(link: LinkData, move: Move): LinkData {
  return { ...link, expiresAt: move(link.expiresAt), usedAt: moveNullable(link.usedAt, move) };
}

function moveCall(call: CallData, move: Move): CallData {
  return {
    ...call,
    startedAt: move(call.startedAt),
    endedAt: move(call.endedAt),
    ...(call.reportedAt === undefined ? {} : { reportedAt: move(call.reportedAt) }),
    ...(call.visibleAt === undefined ? {} : { visibleAt: move(call.visibleAt) }),
  };
}

function moveNullable(timestamp: string | null, move: Move): string | null {
  return timestamp === null ? null : move(timestamp);
}

function moveTimestamp(timestamp: string, distanceMs: number): string {
  const { ms, restNs } = toEpoch(timestamp);
  const moved = formatTimestamp(Math.min(Math.max(ms + distanceMs, -epochMsMax), epochMsMax));
  // Digits below the millisecond keep timestamps apart that differ only there; they move along untouched.
  return restNs === 0n ? moved : `${moved.slice(0, -1)}${String(restNs).padStart(6, '0')}Z`;
}

/**
 * `ms` is rounded down and `restNs` is from 0 up, before 1970 too, so the two always add up. Throws a RangeError for
 * input that every check of a world rejects.
 */
function toEpoch(timestamp: string): { ms: number; restNs: bigint } {
  if (canonical.test(timestamp)) {
    const ms = Date.parse(timestamp);
    if (!Number.isNaN(ms)) return { ms, restNs: 0n };
  }
  const ns = parseTimestamp(timestamp);
  if (ns === null) throw new RangeError(`A world holds ${JSON.stringify(timestamp)} where it should hold a timestamp.`);
  const restNs = ((ns % nsPerMs) + nsPerMs) % nsPerMs;
  return { ms: Number((ns - restNs) / nsPerMs), restNs };
}
