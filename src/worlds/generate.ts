// Generates a world with faker. The same seed, anchor and sizes give the same bytes. Only `casa seed` and the script
// for fixtures/worlds load this file, because faker is a development tool that would slow down the start of a mock.
import type { Faker } from '@faker-js/faker';
import { parseTimestampMs } from '../contract/timestamps.ts';
import type { OrganizationData, WorldData } from '../domain/world-data.ts';
import { fullPlan, generateAccounts, generateLinks, smallPlan } from './generate-accounts.ts';
import { generateCalls } from './generate-calls.ts';
import { type Draw, generateArticles, generateKeywords, generateSites } from './generate-content.ts';
import { generateCustomers, generateInbox } from './generate-customers.ts';
import { defaultSize, organizationKeys, smallSize, type WorldSize, worldAnchor } from './names.ts';

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
