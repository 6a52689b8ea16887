// The world `huge`: 100,000 articles and 100,000 calls, made by arithmetic when it is loaded instead of being stored.
// Ids count: article 42 is `a0000000-0000-4000-8000-00000000002a`.
import { settledAfterMs } from '../contract/generated/limits.ts';
import type { Article, Keyword, Site } from '../contract/generated/types.ts';
import { dayMs, formatTimestamp } from '../contract/timestamps.ts';
import { metricsOf } from '../domain/insights.ts';
import { createRandom, type Random } from '../domain/random.ts';
import type { AccountData, CallData, WorldData } from '../domain/world-data.ts';
import { organizationKeys } from './names.ts';

/** For measuring: long lists find what is not linear. */
export const hugeSize = { sites: 20, articles: 100_000, keywords: 2_000, calls: 100_000 } as const;

const statuses = [
  'published',
  'published',
  'published',
  'draft',
  'scheduled',
  'planned',
  'generating',
  'failed',
] as const;
const topics = [
  'sourdough',
  'oak tables',
  'rye bread',
  'night trains',
  'linen',
  'espresso',
  'hiking boots',
  'tiles',
] as const;
const outcomes = ['answered', 'missed', 'voicemail', 'busy'] as const;

/**
 * The same at each `nowMs` but for its timestamps, which are made for it: that spares moving half a million of them.
 */
export function makeHugeWorld(nowMs: number): WorldData {
  const random = createRandom(1);
  const sites = Array.from({ length: hugeSize.sites }, (_, i) => makeSite(i, nowMs));
  return {
    casaWorld: 1,
    anchor: formatTimestamp(nowMs),
    seed: 1,
    organizations: [
      {
        id: 'org_1',
        name: 'Huge House',
        payment: 'ok',
        keys: organizationKeys(1),
        sites,
        articles: makeArticles(random, sites, nowMs),
        keywords: Array.from({ length: hugeSize.keywords }, (_, i) => makeKeyword(i, sites, nowMs)),
        accounts: [makeAccount(nowMs)],
        links: [],
        calls: makeCalls(random, nowMs),
        inbox: [],
        customers: [],
        contacts: [],
      },
    ],
  };
}

// The first letter is the kind, the last twelve digits count.
function countingId(kind: 'a' | 'b' | 'c' | 'd' | 'e', number: number): string {
  return `${kind}0000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

function makeSite(i: number, nowMs: number): Site {
  return {
    id: countingId('b', i + 1),
    name: `Site ${i + 1}`,
    domain: `site-${i + 1}.example`,
    cms: i % 2 === 0 ? 'wordpress' : 'webflow',
    language: 'en',
    createdAt: formatTimestamp(nowMs - (2000 + i) * dayMs),
  };
}

// Newest first, one about every quarter of an hour, each with its own createdAt.
function makeArticles(random: Random, sites: readonly Site[], nowMs: number): Article[] {
  let createdMs = nowMs;
  return Array.from({ length: hugeSize.articles }, (_, i) => {
    createdMs -= 1 + random.below(1_800_000);
    const topic = topics[random.below(topics.length)] as string;
    const status = statuses[random.below(statuses.length)] as Article['status'];
    const written = status === 'published' || status === 'draft' || status === 'scheduled';
    const createdAt = formatTimestamp(createdMs);
    return {
      id: countingId('a', i + 1),
      siteId: (sites[random.below(sites.length)] as Site).id,
      title: `Notes on ${topic}, part ${i + 1}`,
      slug: `notes-on-${topic.replace(' ', '-')}-part-${i + 1}`,
      status,
      targetKeyword: i % 7 === 0 ? null : topic,
      wordCount: written ? 400 + random.below(2000) : 0,
      seoScore: written ? random.below(101) : null,
      publishedAt: status === 'published' ? createdAt : null,
      createdAt,
      updatedAt: createdAt,
    };
  });
}

function makeKeyword(i: number, sites: readonly Site[], nowMs: number): Keyword {
  return {
    id: countingId('c', i + 1),
    siteId: (sites[i % sites.length] as Site).id,
    keyword: `${topics[i % topics.length]} ${i + 1}`,
    searchVolume: i % 5 === 0 ? null : (i % 400) * 10,
    difficulty: i % 6 === 0 ? null : i % 101,
    intent: i % 4 === 0 ? null : 'informational',
    createdAt: formatTimestamp(nowMs - (1 + (i % 300)) * dayMs),
  };
}

function makeAccount(nowMs: number): AccountData {
  return {
    accountId: countingId('d', 1),
    provider: 'google_business',
    label: 'Main shop',
    name: 'Huge House',
    status: 'connected',
    locked: false,
    connectedAt: formatTimestamp(nowMs - 1000 * dayMs),
    posts: [],
    reviews: [],
    metrics: metricsOf('google_business'),
  };
}

// In the order of their end, about one a minute; every tenth shares its visible timestamp with the one before it.
function makeCalls(random: Random, nowMs: number): CallData[] {
  let endedMs = nowMs - settledAfterMs - hugeSize.calls * 60_000;
  return Array.from({ length: hugeSize.calls }, (_, i) => {
    if (i % 10 !== 9) endedMs += 1 + random.below(120_000 / 2);
    const outcome = outcomes[random.below(outcomes.length)] as string;
    return {
      id: countingId('e', i + 1),
      direction: i % 3 === 0 ? 'outbound' : 'inbound',
      from: i % 3 === 0 ? '+12025550100' : '+12025550142',
      to: i % 3 === 0 ? '+12025550142' : '+12025550100',
      agent: i % 2 === 0 ? 'Ada' : 'Grace',
      startedAt: formatTimestamp(endedMs - 5_000 - random.below(900_000)),
      endedAt: formatTimestamp(endedMs),
      provisional: outcome,
      outcome,
    };
  });
}
