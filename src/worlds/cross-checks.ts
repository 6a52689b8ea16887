// Rules between the records of a world: ids that name one thing, references that lead somewhere, timestamps in order.
import { parseTimestamp } from '../contract/timestamps.ts';
import type { CallData, LinkData, OrganizationData, WorldData } from '../domain/world-data.ts';
import { count } from '../terminal/count.ts';
import { nearest } from '../terminal/suggestion.ts';

/** Adds what is wrong between the records of a world whose shape is right. */
export function checkRelations(data: WorldData, problems: ProblemList): void {
  const seen = new SeenIds(problems);
  for (const [i, organization] of data.organizations.entries()) {
    const path = `organizations[${i}]`;
    seen.note('organization', organization.id, `${path}.id`);
    checkIds(organization, path, seen);
    checkReferences(organization, path, problems);
    for (const [k, call] of organization.calls.entries()) checkCall(call, `${path}.calls[${k}]`, problems);
  }
}

/** Where each id was met first; ids of different kinds may be equal. */
class SeenIds {
  readonly #places = new Map<string, Map<string, string>>();
  readonly #problems: ProblemList;

  constructor(problems: ProblemList) {
    this.#problems = problems;
  }

  /** The second of two equal ids is the wrong one; the first is named as its calibrated mock. */
  note(kind: string, id: string, path: string): void {
    let places = this.#places.get(kind);
    if (!places) {
      places = new Map();
      this.#places.set(kind, places);
    }
    const first = places.get(id);
    if (first !== undefined) this.#problems.add(path, `the same as ${first}`);
    else places.set(id, path);
  }

  /** Notes a field of each record. `list` is the path of the records. */
  noteAll<Name extends string>(
    kind: string,
    records: readonly Readonly<Record<Name, string>>[],
    at: [list: string, Name],
  ) {
    const [list, name] = at;
    for (const [i, record] of records.entries()) this.note(kind, record[name], `${list}[${i}].${name}`);
  }
}

// UUIDs name one thing in the whole world, in either case of letters (assumption C62); so do keys and tokens. The ids
// of calls, reviews and posts are opaque and only have to be unique in their list.
function checkIds(organization: OrganizationData, path: string, seen: SeenIds): void {
  const { keys, accounts, links, calls, inbox = [], customers = [], contacts = [] } = organization;
  const lower = ({ id }: { readonly id: string }) => ({ id: id.toLowerCase() });
  for (const list of ['sites', 'articles', 'keywords'] as const)
    seen.noteAll(list, organization[list].map(lower), [`${path}.${list}`, 'id']);
  seen.noteAll('key', keys, [`${path}.keys`, 'key']);
  seen.noteAll('link', links, [`${path}.links`, 'id']);
  seen.noteAll('token', links, [`${path}.links`, 'token']);
  seen.noteAll(`call of ${path}`, calls, [`${path}.calls`, 'id']);
  seen.noteAll(`message of ${path}`, inbox, [`${path}.inbox`, 'messageId']);
  seen.noteAll(`customer of ${path}`, customers, [`${path}.customers`, 'customerId']);
  seen.noteAll(`contact of ${path}`, contacts, [`${path}.contacts`, 'contactId']);
  for (const [i, { accountId, posts, reviews }] of accounts.entries()) {
    const of = `${path}.accounts[${i}]`;
    seen.note('account', accountId.toLowerCase(), `${of}.accountId`);
    seen.noteAll(`post of ${of}`, posts, [`${of}.posts`, 'postId']);
    seen.noteAll(`review of ${of}`, reviews, [`${of}.reviews`, 'reviewId']);
  }
}

/** Ids are compared in lower case (assumption C62). */
function checkReferences(organization: OrganizationData, path: string, problems: ProblemList): void {
  const siteIds = new Set(organization.sites.map(({ id }) => id.toLowerCase()));
  for (const list of ['articles', 'keywords'] as const) {
    organization[list].forEach(({ siteId }, i) => {
      if (siteIds.has(siteId.toLowerCase())) return;
      problems.add(`${path}.${list}[${i}].siteId`, 'no site of this organization has this id');
    });
  }
  const accountIds = new Set(organization.accounts.map(({ accountId }) => accountId.toLowerCase()));
  for (const [i, { accountId }] of (organization.inbox ?? []).entries()) {
    if (accountIds.has(accountId.toLowerCase())) continue;
    problems.add(`${path}.inbox[${i}].accountId`, 'no account of this organization has this id');
  }
  for (const [i, link] of organization.links.entries()) {
    checkLink(link, accountIds, { path: `${path}.links[${i}]`, problems });
  }
}

function checkLink(
  link: LinkData,
  accountIds: ReadonlySet<string>,
  { path, problems }: { path: string; problems: ProblemList },
): void {
  link.accountIds.forEach((accountId, i) => {
    if (accountIds.has(accountId.toLowerCase())) return;
    problems.add(`${path}.accountIds[${i}]`, 'no account of this organization has this id');
  });
  // Assumption C29: one consent session connects up to maxAccounts accounts and uses the link up.
  if (link.accountIds.length > link.maxAccounts) problems.add(`${path}.accountIds`, 'longer than maxAccounts');
  if (link.usedAt === null && link.accountIds.length > 0) {
    problems.add(`${path}.accountIds`, 'not empty although the link was not used');
  }
}

/** Only timestamps that contradict each other; a call may last as long as it likes. */
function checkCall({ startedAt, endedAt, reportedAt, visibleAt }: CallData, path: string, problems: ProblemList): void {
  if (isBefore(endedAt, startedAt)) problems.add(`${path}.endedAt`, 'before startedAt');
  if (reportedAt !== undefined && isBefore(reportedAt, endedAt)) problems.add(`${path}.reportedAt`, 'before endedAt');
  if (visibleAt !== undefined && isBefore(visibleAt, endedAt)) problems.add(`${path}.visibleAt`, 'before endedAt');
}

/** In nanoseconds, so digits below the millisecond count. The shape is checked before, so null does not occur. */
function isBefore(a: string, b: string): boolean {
  return (parseTimestamp(a) ?? 0n) < (parseTimestamp(b) ?? 0n);
}

// Problems of a world file, one sentence each: where, then why. A file can be wrong a hundred thousand times
// over; the first ones are kept and the rest is counted.
const keptMax = 20;

export class ProblemList {
  readonly #kept: string[] = [];
  #count = 0;

  get empty(): boolean {
    return this.#count === 0;
  }

  add(path: string, reason: string): void {
    const sentence = `${path || 'the world'}: ${reason}`;
    // Two checkers may look at one place and say the same.
    if (this.#kept.includes(sentence)) return;
    this.#count += 1;
    if (this.#kept.length < keptMax) this.#kept.push(sentence);
  }

  /** The kept ones, then how many more there are. */
  toSentences(): string[] {
    const more = this.#count - this.#kept.length;
    return more > 0 ? [...this.#kept, `… and ${count(more, 'more problem')}`] : [...this.#kept];
  }
}

/** `organizations[0].articles[3].createdAt` */
export function joinPath(segments: readonly PropertyKey[]): string {
  return segments
    .map((segment) => (typeof segment === 'number' ? `[${segment}]` : `.${String(segment)}`))
    .join('')
    .replace(/^\./, '');
}

export function unknownField(name: string, known: Iterable<string>): string {
  const fields = [...known];
  const guess = nearest(name, fields);
  return `unknown field${guess === null ? '' : `, did you mean ${guess}?`} (fields: ${fields.join(', ')})`;
}
