// The world of a variant, from a separate seed and independent of our data.
import { accountIdOf, makeAccounts, makeForeign, makeInvites } from './accounts.ts';
import { makeArticles, makeKeywords, makeSites, type Source } from './content.ts';
import { hexOf } from './ids.ts';
import { type AccountNames, accountNames, type Call, type Org, type World } from './types.ts';
import type { Variant } from './variants.ts';

const minute = 60_000;

/** Epoch milliseconds; `ended` is null while the call runs. */
export interface NewCall {
  started: number;
  ended: number | null;
  reported: number;
}

/** Adds a call; its order number is final only once its end is known. */
export function pushCall(world: World, org: Org, times: NewCall): Call {
  world.counter += 1;
  const number = world.counter;
  const ref = `${org.name}-${hexOf(`call/${number}`).slice(0, 12)}`;
  const call: Call = { ref, number, ...times, order: number, place: undefined };
  org.calls.push(call);
  return call;
}

/** Settled calls with ties of up to nine, long calls that overtake short ones, two settling, two running. */
function seedCalls(world: World, org: Org, source: Source): void {
  const { variant, start } = source;
  const count = variant.calls === 'many' ? 75 : 1;
  if (variant.calls === 'none') return;
  let ended = start - 3 * 24 * 60 * minute;
  for (let index = 0; index < count; index += 1) {
    const tied = (index >= 20 && index < 28) || index % 10 === 1 || index % 10 === 2;
    ended += tied ? 0 : 7 * minute + 333;
    const lasted = index % 6 === 5 ? 55 * minute : (index % 4) * 20_000 + 1_000;
    pushCall(world, org, { started: ended - lasted, ended, reported: ended });
  }
  if (variant.calls === 'one') return;
  for (const ago of [120_000, 30_000]) {
    pushCall(world, org, { started: start - ago - minute, ended: start - ago, reported: start - ago });
  }
  for (const ago of [40 * minute, 20_000]) {
    pushCall(world, org, { started: start - ago, ended: null, reported: start - ago });
  }
}

/** An organization with its own lists: two must not share one by accident. */
function makeOrg(name: string, records: Partial<Org>): Org {
  const lists = { sites: [], articles: [], keywords: [], accounts: [], invites: [], calls: [], posts: [] };
  return { name, ...lists, paymentStopped: false, delivered: new Set(), lastPlace: 0, ...records };
}

/** The organization of the valid key, by variant. */
function makeFirst(source: Source): Org {
  const { world, articleCount, paymentStopped } = source.variant;
  const small = world === 'single';
  const sites = world === 'empty' ? [] : makeSites(source, small ? 1 : 3);
  return makeOrg('first', {
    sites,
    articles: makeArticles(source, sites, sites.length === 0 ? 0 : articleCount),
    keywords: makeKeywords(source, sites, small ? 1 : 17),
    accounts: makeAccounts(source),
    invites: makeInvites(source),
    paymentStopped,
  });
}

/** The other organization always owns a little of everything, so isolation can be seen. */
function makeSecond(source: Source): Org {
  const sites = makeSites(source, 1);
  const [articles, keywords] = [makeArticles(source, sites, 5), makeKeywords(source, sites, 4)];
  return makeOrg('second', { sites, articles, keywords, accounts: [makeForeign(source)] });
}

/** The second organization has one call, so a log without its filter shows it. */
export function makeWorld(variant: Variant, start: number): World {
  const first = { seed: 'first', start, variant };
  const second = { seed: 'second', start, variant };
  const names = Object.fromEntries(
    accountNames.map((name) => [name, accountIdOf(name, first)]),
  ) as unknown as AccountNames;
  const world: World = { first: makeFirst(first), second: makeSecond(second), names, counter: 0 };
  seedCalls(world, world.first, first);
  seedCalls(world, world.second, { ...second, variant: { ...variant, calls: 'one' } });
  return world;
}
