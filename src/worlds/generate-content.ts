// Sites, articles and keywords of a generated world. Assumption C89 and C91 say what holds between their fields.
import type { Faker } from '@faker-js/faker';
import type { Article, Keyword, Site } from '../contract/generated/types.ts';
import { dayMs, formatTimestamp } from '../contract/timestamps.ts';
import { type Theme, themes } from './themes.ts';

// Long enough that the newest page holds a few days and the last one months.
const articleSpanMs = 120 * dayMs;
const statuses = ['published', 'draft', 'scheduled', 'planned', 'generating', 'failed'] as const;
const intents = ['informational', 'commercial', 'transactional', 'navigational'] as const;

/** Where a section takes its chances from: a generator seeded for it alone, and the time that counts as now. */
export interface Draw {
  readonly faker: Faker;
  readonly anchorMs: number;
}

/** The last site gets few articles and no keywords, so a client meets a site with nothing to list. */
export function generateSites({ faker, anchorMs }: Draw, count: number): Site[] {
  return Array.from({ length: count }, (_, i) => {
    const name = themeOf(i).siteName(faker);
    const ageMs = faker.number.int({ min: 200 * dayMs, max: 700 * dayMs });
    return {
      id: faker.string.uuid(),
      name,
      domain: `${slugOf(faker, name).replaceAll('-', '')}${i < themes.length ? '' : i}.example`,
      cms: faker.helpers.arrayElement(['wordpress', 'webflow', 'shopify', 'ghost']),
      language: faker.helpers.arrayElement(['en', 'en-GB', 'en-US']),
      createdAt: formatTimestamp(anchorMs - ageMs),
    };
  });
}

/** Newest first, no two with the same createdAt (assumption C17). */
export function generateArticles(draw: Draw, sites: readonly Site[], count: number): Article[] {
  const { faker, anchorMs } = draw;
  const slugs = new Map<number, Map<string, number>>();
  const meanGapMs = articleSpanMs / Math.max(count, 1);
  // Each status occurs in the list, independent of random numbers.
  const statusStep = Math.max(1, Math.floor(count / statuses.length));
  let createdMs = anchorMs;
  return Array.from({ length: count }, (_, i) => {
    createdMs -= 1 + faker.number.int({ min: Math.floor(meanGapMs * 0.2), max: Math.floor(meanGapMs * 1.6) });
    // Most articles belong to the first site, a few to the last.
    const siteIndex = Math.floor(faker.number.float() ** 2 * sites.length);
    const title = faker.helpers.arrayElement(themeOf(siteIndex).titles)(faker);
    const status =
      i % statusStep === 0
        ? (statuses[(i / statusStep) % statuses.length] as Article['status'])
        : faker.helpers.weightedArrayElement(statusWeights);
    return {
      id: faker.string.uuid(),
      siteId: (sites[siteIndex] as Site).id,
      title,
      slug: firstFree(takenOf(slugs, siteIndex), slugOf(faker, title), '-'),
      status,
      targetKeyword: faker.number.int(6) === 0 ? null : themeOf(siteIndex).phrase(faker),
      ...progressOf(draw, status, createdMs),
    };
  });
}

/** `generating` is left to the fixed places in the list: few articles are being written at any one time. */
const statusWeights = [
  { value: 'published', weight: 14 },
  { value: 'draft', weight: 3 },
  { value: 'scheduled', weight: 2 },
  { value: 'planned', weight: 2 },
  { value: 'failed', weight: 1 },
] as const;

type Progress = Pick<Article, 'wordCount' | 'seoScore' | 'publishedAt' | 'createdAt' | 'updatedAt'>;

/**
 * The fields that follow from the status (assumption C89): an unwritten article has no words and no score, and only a
 * published one has a publishedAt. createdAt ≤ publishedAt ≤ updatedAt ≤ the anchor.
 */
function progressOf({ faker, anchorMs }: Draw, status: Article['status'], createdMs: number): Progress {
  const written = status === 'draft' || status === 'scheduled' || status === 'published';
  const ageMs = anchorMs - createdMs;
  const changedMs = status === 'planned' ? createdMs : createdMs + faker.number.int(Math.min(ageMs, 6 * dayMs));
  const editedMs = changedMs + (faker.number.int(2) === 0 ? faker.number.int(anchorMs - changedMs) : 0);
  return {
    wordCount: written ? faker.number.int({ min: 420, max: 2600 }) : 0,
    seoScore: written && faker.number.int(5) > 0 ? faker.number.int({ min: 38, max: 98 }) : null,
    publishedAt: status === 'published' ? formatTimestamp(changedMs) : null,
    createdAt: formatTimestamp(createdMs),
    updatedAt: formatTimestamp(written ? editedMs : changedMs),
  };
}

/** Sorted by site, as the list shows them. A keyword text occurs once in a site; it may occur again in another. */
export function generateKeywords({ faker, anchorMs }: Draw, sites: readonly Site[], count: number): Keyword[] {
  const searched = sites.length > 1 ? sites.slice(0, -1) : sites;
  const phrases = new Map<number, Map<string, number>>();
  return Array.from({ length: count }, (_, i) => {
    // The first site gets two thirds of the keywords, the others share the rest.
    const siteIndex = i % 3 < 2 ? 0 : (1 + Math.floor(i / 3)) % searched.length;
    const site = searched[siteIndex] as Site;
    return {
      id: faker.string.uuid(),
      siteId: site.id,
      keyword: firstFree(takenOf(phrases, siteIndex), themeOf(siteIndex).phrase(faker), ' '),
      searchVolume: faker.number.int(7) === 0 ? null : faker.number.int({ min: 1, max: 900 }) * 10,
      difficulty: faker.number.int(7) === 0 ? null : faker.number.int(100),
      intent: faker.number.int(5) === 0 ? null : faker.helpers.arrayElement(intents),
      createdAt: formatTimestamp(anchorMs - faker.number.int({ min: dayMs, max: 199 * dayMs })),
    };
  }).sort((a, b) => searched.findIndex(({ id }) => id === a.siteId) - searched.findIndex(({ id }) => id === b.siteId));
}

function themeOf(siteIndex: number): Theme {
  return themes[siteIndex % themes.length] as Theme;
}

/** Accents go first: faker's slugify would drop the letter with its accent. */
function slugOf(faker: Faker, text: string): string {
  const plain = text.normalize('NFD').replaceAll(/[^\w\s-]/g, '');
  return faker.helpers.slugify(plain).toLowerCase().replaceAll(/-{2,}/g, '-');
}

/** Gives each text once: a repeated one gets the next free number. The map holds the number each text is up to. */
function firstFree(taken: Map<string, number>, text: string, separator: string): string {
  let n = (taken.get(text) ?? 0) + 1;
  let free = n === 1 ? text : `${text}${separator}${n}`;
  while (n > 1 && taken.has(free)) {
    n += 1;
    free = `${text}${separator}${n}`;
  }
  taken.set(text, n);
  if (n > 1) taken.set(free, 1);
  return free;
}

/** Texts are unique in their site, not in the world, so each site counts its own. */
function takenOf(all: Map<number, Map<string, number>>, siteIndex: number): Map<string, number> {
  const taken = all.get(siteIndex) ?? new Map<string, number>();
  all.set(siteIndex, taken);
  return taken;
}
