// The world of a variant, from a separate seed and independent of our data.
import { accountIdOf, makeAccounts, makeForeign, makeInvites } from './accounts.ts';
import { makeArticles, makeKeywords, makeSites, type Source } from './content.ts';
import { hexOf } from './ids.ts';
import type { AccountNames, Call, Org, World } from './types.ts';
import type { Variant } from './variants.ts';

const minute = 60_000;
const accountNames: readonly (keyof AccountNames)[] = [
  'postable',
  'reviewable',
  'insightful',
  'quiet',
  'unsupported',
  'pending',
  'expired',
  'revoked',
  'pendingApi',
  'locked',
  'denied',
  'limited',
  'failing',
  'shaky',
  'foreign',
];

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
  const call: Call = {
    ref: `${org.name}-${hexOf(`call/${number}`).slice(0, 12)}`,
    number,
    started: times.started,
    ended: times.ended,
    reported: times.reported,
    order: number,
    place: undefined,
  };
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

/** Each with its own lists: two organizations must not share one by accident. */
function emptyOrg(name: string): Org {
  return {
    name,
    sites: [],
    articles: [],
    keywords: [],
    accounts: [],
    invites: [],
    calls: [],
    posts: [],
    paymentStopped: false,
    delivered: new Set(),
    lastPlace: 0,
  };
}

/** The organization of the valid key, by variant. */
function makeFirst(source: Source): Org {
  const { variant } = source;
  const org = emptyOrg('first');
  const small = variant.world === 'single';
  if (variant.world !== 'empty') org.sites = makeSites(source, small ? 1 : 3);
  org.articles = makeArticles(source, org.sites, org.sites.length === 0 ? 0 : variant.articleCount);
  org.keywords = makeKeywords(source, org.sites, small ? 1 : 17);
  org.accounts = makeAccounts(source);
  org.invites = makeInvites(source);
  org.paymentStopped = variant.paymentStopped;
  return org;
}

/** The other organization always owns a little of everything, so isolation can be seen. */
function makeSecond(source: Source): Org {
  const org = emptyOrg('second');
  org.sites = makeSites(source, 1);
  org.articles = makeArticles(source, org.sites, 5);
  org.keywords = makeKeywords(source, org.sites, 4);
  org.accounts = [makeForeign(source)];
  return org;
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
