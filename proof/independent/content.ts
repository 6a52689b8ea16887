// Sites, articles and keywords: texts in many scripts, nulls where the tables allow them, and timestamps that are close
// together.
import { uuidOf } from './ids.ts';
import { toNs, unitOf } from './time.ts';
import type { Article, Keyword, Site } from './types.ts';
import type { Variant } from './variants.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** Of every sixteen tied articles, those that share the timestamp of the one before: groups of three, two and five. */
const tied: ReadonlySet<number> = new Set([2, 3, 5, 10, 11, 12, 13]);
const statuses = ['published', 'draft', 'planned', 'generating', 'scheduled', 'failed'];
const topics = [
  'Wärmepumpen im Altbau',
  'Ten "quick" fixes & <em>other</em> myths',
  'Zahnarzt in der Nähe – was zählt?',
  '東京のカフェ案内',
  'Roof repair\tin winter',
  'Plumber 24/7 \\ emergency 🚿',
  'إصلاح السيارات',
];

/** Where the records of one organization come from. */
export interface Source {
  seed: string;
  start: number;
  variant: Variant;
}

/** A nullable value, by the variant: always there, never, or null for every third. */
function maybe<T>(variant: Variant, index: number, value: T): T | null {
  if (variant.nullables === 'all') return null;
  if (variant.nullables === 'none') return value;
  return index % 3 === 1 ? null : value;
}

/** `cms` and `language` are plain strings: their values are not shown. */
export function makeSites(source: Source, count: number): Site[] {
  const { seed, start, variant } = source;
  const names = ['Bäckerei Sonne', 'North Roofing', 'Leerstand'];
  return names.slice(0, count).map((name, index) => ({
    id: uuidOf(`${seed}/site/${index}`, variant.idVersion),
    name: variant.emptyStrings && index === 1 ? '' : `${name} (${seed})`,
    domain: `${seed}-${index}.example`,
    cms: variant.emptyStrings ? '' : (['wordpress', 'Webflow', 'none/custom'][index] ?? 'wordpress'),
    language: ['de', 'en-GB', 'zh-Hant'][index] ?? 'en',
    createdMs: start - (500 - 100 * index) * day,
  }));
}

/** Timestamps that the format can write without loss: irregular steps, sometimes the smallest possible one. */
function timestamps(source: Source, count: number): bigint[] {
  const unit = unitOf(source.variant.timeFormat);
  const times: bigint[] = [];
  let base = source.start - 400 * day;
  let last = 0n;
  for (let index = 0; index < count; index += 1) {
    base += 3 * hour + (index % 5) * 1_234_567;
    const floor = ((toNs(base) + 987_654_321n) / unit) * unit;
    const stays = source.variant.world === 'tied' && tied.has(index % 16);
    const apart = index % 7 === 6 ? last + unit : floor;
    last = stays ? last : apart;
    times.push(last);
  }
  return times;
}

/** Two sites share them unevenly, so a filter that does nothing shows. */
export function makeArticles(source: Source, sites: readonly Site[], count: number): Article[] {
  const { seed, variant } = source;
  const owners = sites.slice(0, Math.min(2, sites.length));
  const articles = timestamps(source, count).map((createdNs, index): Article => {
    const status = statuses[index % statuses.length] ?? 'draft';
    const topic = topics[index % topics.length] ?? 'Topic';
    const owner = owners[index % 3 === 2 ? owners.length - 1 : 0];
    const published = status === 'published' || variant.nullables === 'none';
    const createdMs = Number(createdNs / 1_000_000n);
    return {
      id: uuidOf(`${seed}/article/${index}`, variant.idVersion),
      siteId: owner?.id ?? uuidOf(`${seed}/site/0`, variant.idVersion),
      title: variant.emptyStrings && index === 3 ? '' : `${topic} (${index})`,
      slug: variant.emptyStrings && index === 3 ? '' : `${seed}-article-${index}`,
      status,
      targetKeyword: maybe(variant, index, topic.toLowerCase()),
      wordCount: status === 'planned' ? 0 : 400 + index * 37,
      seoScore: maybe(variant, index + 1, (index * 13) % 101),
      publishedMs: published && variant.nullables !== 'all' ? createdMs + 5 * hour : null,
      createdNs,
      updatedNs: createdNs + toNs((index % 4) * hour),
    };
  });
  return shuffle(articles);
}

/** A fixed disorder, so no list is in order by accident. */
function shuffle<T extends { id: string }>(items: readonly T[]): T[] {
  return [...items].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** The last site has none: an empty list is legal. */
export function makeKeywords(source: Source, sites: readonly Site[], count: number): Keyword[] {
  const { seed, start, variant } = source;
  const owners = sites.slice(0, Math.max(1, sites.length - 1));
  return Array.from(
    { length: owners.length === 0 || sites.length === 0 ? 0 : count },
    (_, index): Keyword => ({
      id: uuidOf(`${seed}/keyword/${index}`, variant.idVersion),
      siteId: owners[index % owners.length]?.id ?? '',
      keyword: `${topics[index % topics.length] ?? 'topic'} ${index}`,
      searchVolume: maybe(variant, index, index * 110),
      difficulty: maybe(variant, index + 1, (index * 17) % 100),
      intent: maybe(variant, index + 2, ['informational', 'Commercial / local', 'buy'][index % 3] ?? 'buy'),
      createdMs: start - (90 - index) * day,
    }),
  );
}
