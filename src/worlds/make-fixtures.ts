// `npm run worlds` writes fixtures/worlds/*.json; `npm run worlds -- --check` only says whether they are up to date.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AccountData, OrganizationData, WorldData } from '../domain/world-data.ts';
import { formatWorld } from './format.ts';
import { generateWorld } from './generate.ts';
import { emptyRecords, organizationKeys, worldAnchor } from './names.ts';

const folder = new URL('../../fixtures/worlds/', import.meta.url);

/** File name -> text, for everything under fixtures/worlds/. */
export async function makeFixtures(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  // One after the other: the generator is seeded again for each, and it is one generator.
  for (const [name, make] of Object.entries(fixtureMakers)) files.set(`${name}.json`, formatWorld(await make()));
  return files;
}

/** Returns the names of world files that differ from the generator's output. */
export function findDrift(files: ReadonlyMap<string, string>): string[] {
  return [...files].filter(([name, text]) => readFixture(name) !== text).map(([name]) => name);
}

/** null for a file that is not there yet, which then counts as drifted. */
function readFixture(name: string): string | null {
  try {
    return readFileSync(new URL(name, folder), 'utf8');
  } catch {
    return null;
  }
}

async function main(): Promise<void> {
  const files = await makeFixtures();
  const drifted = findDrift(files);
  if (process.argv.includes('--check')) {
    if (drifted.length === 0) return;
    console.error(`World files do not match their generator: ${drifted.join(', ')}. Run npm run worlds.`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(folder, { recursive: true });
  for (const name of drifted) writeFileSync(new URL(name, folder), files.get(name) ?? '');
}

// The worlds kept under fixtures/worlds, as the generator makes them.

/** File name without `.json` -> how that world is made. */
const fixtureMakers = {
  default: () => generateWorld({ seed: 1 }),
  empty: async () => emptyWorld(),
  'tied-articles': makeTiedArticles,
  unpaid: makeUnpaid,
} satisfies Record<string, () => Promise<WorldData>>;

/** One organization with its keys and nothing more. */
function emptyWorld(): WorldData {
  const organization: OrganizationData = {
    id: 'org_1',
    name: 'Empty House',
    payment: 'ok',
    keys: organizationKeys(1),
    ...emptyRecords,
  };
  return { casaWorld: 1, anchor: worldAnchor, seed: 1, organizations: [organization] };
}

/**
 * Positions, counted from 1, whose articles share one createdAt: across the edges 20 and 100, and harmlessly within a
 * page.
 */
export const tiedRuns = [
  { from: 18, to: 23 },
  { from: 60, to: 61 },
  { from: 98, to: 105 },
] as const;

/**
 * Cursors that hold a createdAt alone lose or repeat articles at a tie; this world has ties where pages of 20 and of
 * 100 end.
 */
async function makeTiedArticles(): Promise<WorldData> {
  const world = await generateWorld({ seed: 2, size: { organizations: 1, articles: 130, keywords: 6, calls: 0 } });
  return mapOrganizations(world, (organization) => ({
    ...organization,
    accounts: [],
    links: [],
    inbox: [],
    articles: organization.articles.map((article, i) => {
      const run = tiedRuns.find(({ from, to }) => i + 1 >= from && i + 1 <= to);
      const createdAt = run ? (organization.articles[run.to - 1]?.createdAt ?? article.createdAt) : article.createdAt;
      return { ...article, createdAt };
    }),
  }));
}

/** The first organization has no payment method, the second waits for its renewal; each has a locked account. */
async function makeUnpaid(): Promise<WorldData> {
  const size = { sites: 1, articles: 6, keywords: 4, calls: 8, reviews: 12 };
  const world = await generateWorld({ seed: 3, size });
  return mapOrganizations(world, (organization, i) => {
    const accounts = organization.accounts.filter(isPlain);
    return {
      ...organization,
      payment: i === 0 ? 'payment_method_required' : 'renewal_pending',
      accounts: accounts.map((account, k) => ({ ...account, locked: account.locked || k === 1 })),
      inbox: (organization.inbox ?? []).filter(({ accountId }) => accounts.some((one) => one.accountId === accountId)),
    };
  });
}

/** Accounts without trouble: this world rejects only for the payment or a lock. */
function isPlain({ status, trouble, provider }: AccountData): boolean {
  return (
    status === 'connected' &&
    trouble === undefined &&
    ['google_business', 'facebook_page', 'instagram'].includes(provider)
  );
}

function mapOrganizations(
  world: WorldData,
  map: (organization: OrganizationData, index: number) => OrganizationData,
): WorldData {
  return { ...world, organizations: world.organizations.map(map) };
}

if (process.argv[1]?.endsWith('make-fixtures.ts')) await main();
