// Generates a world with faker. The same seed, anchor and sizes give the same bytes. Only `casa seed` and the script
// for fixtures/worlds load this file, because faker is a development tool that would slow down the start of a mock.
import type { Faker } from '@faker-js/faker';
import { settledAfterMs } from '../contract/generated/limits.ts';
import type { Customer, InboxMessage } from '../contract/generated/tools.ts';
import { dayMs, formatTimestamp, hourMs, parseTimestampMs } from '../contract/timestamps.ts';
import type { AccountData, CallData, OrganizationData, WorldData } from '../domain/world-data.ts';
import { fullPlan, generateAccounts, generateLinks, smallPlan } from './generate-accounts.ts';
import { type Draw, generateArticles, generateKeywords, generateSites } from './generate-content.ts';
import { defaultSize, organizationKeys, smallSize, type WorldSize, worldAnchor } from './names.ts';
import { foreignNames } from './themes.ts';

/** `seed` is any whole number from 0; `size` replaces single sizes of the first organization. */
interface GenerateOptions {
  readonly seed: number;
  /** An ISO 8601 date-time. */
  readonly anchor?: string;
  readonly size?: Partial<WorldSize>;
}

/** Throws a RangeError for an anchor that is not a date-time. */
export async function generateWorld({ seed, anchor = worldAnchor, size }: GenerateOptions): Promise<WorldData> {
  const { faker } = await import('@faker-js/faker/locale/en');
  const anchorMs = parseTimestampMs(anchor);
  if (anchorMs === null) throw new RangeError(`The anchor ${JSON.stringify(anchor)} is not an ISO 8601 date-time.`);
  const first = { ...defaultSize, ...size };
  const draw: SectionDraw = (organization, section) => {
    // Each section has its own seed, so more articles leave the accounts unchanged.
    faker.seed([seed, organization, section]);
    faker.setDefaultRefDate(anchorMs);
    return { faker: faker as Faker, anchorMs };
  };
  const organizations = Array.from({ length: first.organizations }, (_, i) =>
    generateOrganization(draw, i + 1, i === 0 ? first : smallSize),
  );
  return { casaWorld: 1, anchor, seed, organizations };
}

/** Seeds the one generator for a section of an organization. The Draw before it must not be used any more. */
type SectionDraw = (organization: number, section: number) => Draw;

/**
 * The numbers of the sections determine the data of a seed: a new section takes the next number, or all worlds change.
 */
function generateOrganization(draw: SectionDraw, number: number, size: WorldSize): OrganizationData {
  const name = `${draw(number, 0).faker.person.lastName()} & Co.`;
  const sites = generateSites(draw(number, 1), size.sites);
  const articles = generateArticles(draw(number, 2), sites, size.articles);
  const keywords = generateKeywords(draw(number, 3), sites, size.keywords);
  const plan = number === 1 ? fullPlan(size.reviews) : smallPlan(size.reviews);
  const accounts = generateAccounts(draw(number, 4), plan, name);
  const links = generateLinks(draw(number, 5), accounts);
  const calls = generateCalls(draw(number, 6), size.calls);
  return {
    id: `org_${number}`,
    name,
    payment: 'ok',
    keys: organizationKeys(number),
    sites,
    articles,
    keywords,
    accounts,
    links: number === 1 ? links : links.slice(0, 1),
    calls,
    inbox: generateInbox(draw(number, 7), accounts, number === 1 ? 45 : 3),
    customers: generateCustomers(draw(number, 8), number === 1 ? 34 : 2),
    contacts: [],
  };
}

// The inbox and the customers of a generated world, for the further tools of the MCP endpoint (assumption C147).

const questions: readonly string[] = [
  'Are you open on Sunday?',
  'Do you have a table for four tonight?',
  'Is the large size back in stock?',
  'Can I bring my dog?',
  'How much is delivery to the old town?',
  'I left my umbrella at your place. Did anybody find it?',
  'Do you offer gift cards?',
  'The link in your last post is broken.',
  'What is gluten-free on the new menu?',
  'Thank you for yesterday! 👏',
];

/** Newest first, each with its own timestamp; from accounts that are connected and have people who write. */
function generateInbox({ faker, anchorMs }: Draw, accounts: readonly AccountData[], count: number): InboxMessage[] {
  const social = /^(google_business|facebook_page|instagram|tiktok)$/;
  const open = accounts.filter(({ provider, status }) => status === 'connected' && social.test(provider)).slice(0, 4);
  let receivedMs = anchorMs;
  return Array.from({ length: open.length === 0 ? 0 : count }, (_, i) => {
    receivedMs -= 1 + faker.number.int({ min: hourMs / 4, max: 9 * hourMs });
    const account = open[faker.number.int(open.length - 1)] as AccountData;
    return {
      messageId: `msg_${faker.string.alphanumeric(20)}`,
      accountId: account.accountId,
      provider: account.provider,
      from: foreignNames[(i - 3) / 7] ?? `${faker.person.firstName()} ${faker.person.lastName()}`,
      text: faker.helpers.arrayElement(questions),
      receivedAt: formatTimestamp(receivedMs),
      read: i > 4,
    };
  });
}

/** Newest first. Some left no number, some no address. */
function generateCustomers({ faker, anchorMs }: Draw, count: number): Customer[] {
  let createdMs = anchorMs;
  return Array.from({ length: count }, (_, i) => {
    createdMs -= 1 + faker.number.int({ min: hourMs, max: 60 * hourMs });
    const [first, last] = [faker.person.firstName(), faker.person.lastName()];
    return {
      customerId: `cust_${faker.string.alphanumeric(16)}`,
      name: `${first} ${last}`,
      // Numbers 555-0100 to 555-0199 are fictitious.
      phone: i % 7 === 3 ? null : `+1${faker.number.int({ min: 201, max: 989 })}55501${faker.string.numeric(2)}`,
      email: i % 5 === 4 ? null : `${first}.${last}@example.com`.toLowerCase().replace(/[^a-z.@]/g, ''),
      createdAt: formatTimestamp(createdMs),
    };
  });
}

// Calls of a generated world, laid out by the timestamps at which pollers may first see them, because page edges and
// ties matter there: two calls of one visible timestamp stand across the edges 50 and 200, three share one in between.

const minuteMs = 60_000;
// Longer than a poller stays away, so a first poll finds a history.
const callSpanMs = 6 * dayMs;

/** Positions in the stream of visible calls, counted from 1, that share the timestamp of the position before them. */
const tiedPositions: ReadonlySet<number> = new Set([11, 51, 121, 122, 201]);
/**
 * Positions of calls that the platform reported late; 51 and 122 tie with calls that became visible in the usual way.
 */
const latePositions: ReadonlySet<number> = new Set([5, 20, 51, 77, 122, 160, 233]);
/** Milliseconds from the anchor to the end of the calls that are not final yet: settling, then running. */
const settlingEndsMs = [-244_000, -151_500, -32_000] as const;
const runningEndsMs = [95_000, 262_000] as const;

// Assumption C34: outcomes are ours. Only these two last longer than the ringing.
const outcomes = {
  inbound: ['answered', 'answered', 'answered', 'missed', 'voicemail'],
  outbound: ['answered', 'answered', 'busy', 'no_answer', 'voicemail'],
} as const;
const talkingOutcomes: ReadonlySet<string> = new Set(['answered', 'voicemail']);

/**
 * `count` calls by visible timestamp, oldest first; the last five are not final at the anchor: three settle, two still
 * run.
 */
function generateCalls(draw: Draw, count: number): CallData[] {
  const { faker, anchorMs } = draw;
  const agents = faker.helpers.uniqueArray(() => faker.person.firstName(), 4);
  const unfinishedEndsMs = [...settlingEndsMs, ...runningEndsMs].slice(0, count);
  const final = visibleTimestamps(draw, count - unfinishedEndsMs.length).map((visibleMs, i) => {
    const lateMs = latePositions.has(i + 1) ? faker.number.int({ min: 20, max: 180 }) * minuteMs : 0;
    const call = generateCall(draw, agents, visibleMs - settledAfterMs - lateMs);
    return lateMs > 0 ? { ...call, reportedAt: formatTimestamp(visibleMs) } : call;
  });
  const unfinished = unfinishedEndsMs.map((endMs, i) => {
    const call = generateCall(draw, agents, anchorMs + endMs);
    const startedAt = formatTimestamp(anchorMs + Math.min(endMs, 0) - 47_000 - i * 1_300);
    // Assumption C41: an outcome may change while the call settles, as that of the first of these does.
    return { ...call, startedAt, ...(i === 0 && { provisional: 'answered', outcome: 'voicemail' }) };
  });
  return [...final, ...unfinished];
}

/** Never decreasing; equal only at the tied positions; all in the past. */
function visibleTimestamps({ faker, anchorMs }: Draw, count: number): number[] {
  const meanGapMs = callSpanMs / Math.max(count, 1);
  const gaps = Array.from({ length: count }, () =>
    faker.number.int({ min: Math.floor(meanGapMs * 0.05) + 1, max: Math.floor(meanGapMs * 1.8) + 1 }),
  );
  let visibleMs = anchorMs - gaps.reduce((sum, gap) => sum + gap, 0) - 45_000;
  return gaps.map((gap, i) => {
    if (!tiedPositions.has(i + 1)) visibleMs += gap;
    return visibleMs;
  });
}

/** One final call that ends at `endedMs`. Those that did not reach anybody last only as long as the ringing. */
function generateCall({ faker }: Draw, agents: readonly string[], endedMs: number): CallData {
  const direction = faker.helpers.arrayElement(['inbound', 'inbound', 'outbound'] as const);
  // Numbers 555-0100 to 555-0199 are fictitious.
  const customer = `+1${faker.number.int({ min: 201, max: 989 })}55501${faker.string.numeric(2)}`;
  const line = '+12025550100';
  const outcome = faker.helpers.arrayElement<string>(outcomes[direction]);
  const lengthMs = faker.number.int(
    talkingOutcomes.has(outcome) ? { min: 8_000, max: 1_400_000 } : { min: 4_000, max: 40_000 },
  );
  return {
    id: faker.string.uuid(),
    direction,
    from: direction === 'inbound' ? customer : line,
    to: direction === 'inbound' ? line : customer,
    agent: faker.helpers.arrayElement(agents),
    startedAt: formatTimestamp(endedMs - lengthMs),
    endedAt: formatTimestamp(endedMs),
    provisional: faker.number.int(7) === 0 ? 'answered' : outcome,
    outcome,
  };
}
