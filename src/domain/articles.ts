// Articles of one organization, newest first by default (assumption C16); a cursor is found in logarithmic time. Cites
// 4.articles.list.*, 4.articles.get.*.

import { timestampStepNs } from '../contract/forms.ts';
import type { Article } from '../contract/generated/types.ts';
import { parseTimestamp } from '../contract/timestamps.ts';
import type { WorldBehavior } from './world-behavior.ts';

/** The response to `listArticles` but for its envelope. Cites 4.articles.list.cursor. */
export interface ArticlePage {
  readonly articles: readonly Article[];
  /** The createdAt of the last article of the page, or null when no further one exists. */
  readonly cursor: string | null;
}

/** Two arrays of one length: the search for a cursor reads the timestamps alone and never parses a text twice. */
interface Shelf {
  readonly articles: Article[];
  /** createdAt of each article in nanoseconds, with the sign of the order; never increasing. */
  readonly timestamps: bigint[];
}

/** How the list is kept: its order, and the step of the form in which cursors are written. */
export interface ShelfStyle {
  readonly isOldestFirst: boolean;
  readonly stepNs: bigint;
}

const plainShelf: ShelfStyle = { isOldestFirst: false, stepNs: 1n };

const nsPerMs = 1_000_000n;

/**
 * A cursor in whole seconds matches all articles of its second. With milliseconds, a cursor has all digits of a
 * timestamp.
 */
export function articleShelf({ articleOrder, timestampForm }: WorldBehavior): ShelfStyle {
  const stepNs = timestampStepNs(timestampForm);
  return { isOldestFirst: articleOrder === 'oldest', stepNs: stepNs <= nsPerMs ? 1n : stepNs };
}

/**
 * Indexed when a world is loaded, since clients only read articles: a page costs a binary search and a slice, however
 * many articles there are. Ids are compared without case (UUIDs, interpretation R9).
 */
export class Articles {
  #all: Shelf = { articles: [], timestamps: [] };
  readonly #bySite = new Map<string, Shelf>();
  readonly #byId = new Map<string, Article>();

  readonly #style: ShelfStyle;

  constructor(articles: readonly Article[], style: ShelfStyle = plainShelf) {
    this.#style = style;
    this.#index(articles);
  }

  /** Adds or replaces an article. It rebuilds the index, because this is rare. */
  put(article: Article): void {
    this.#index([article, ...this.#without(article.id)]);
  }

  remove(id: string): void {
    this.#index(this.#without(id));
  }

  #without(id: string): readonly Article[] {
    return this.#all.articles.filter((other) => other.id.toLowerCase() !== id.toLowerCase());
  }

  #index(articles: readonly Article[]): void {
    this.#bySite.clear();
    this.#byId.clear();
    const dated = articles.map((article) => ({
      article,
      timestamp: this.#place(parseTimestamp(article.createdAt) ?? 0n),
    }));
    dated.sort((a, b) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0));
    this.#all = { articles: dated.map(({ article }) => article), timestamps: dated.map(({ timestamp }) => timestamp) };
    for (const { article, timestamp } of dated) {
      this.#byId.set(article.id.toLowerCase(), article);
      const siteId = article.siteId.toLowerCase();
      let shelf = this.#bySite.get(siteId);
      if (!shelf) {
        shelf = { articles: [], timestamps: [] };
        this.#bySite.set(siteId, shelf);
      }
      shelf.articles.push(article);
      shelf.timestamps.push(timestamp);
    }
  }

  /** Greater comes first. */
  #place(timestamp: bigint): bigint {
    const { isOldestFirst, stepNs } = this.#style;
    const step = timestamp - (((timestamp % stepNs) + stepNs) % stepNs);
    return isOldestFirst ? -step : step;
  }

  get(id: string): Article | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /**
   * The articles after the cursor's timestamp. A tie across a page edge loses articles: the hazard of assumption C17.
   */
  page({ siteId, limit, after }: { siteId?: string | undefined; limit: number; after: bigint | null }): ArticlePage {
    const shelf = siteId === undefined ? this.#all : this.#bySite.get(siteId.toLowerCase());
    if (!shelf) return { articles: [], cursor: null };
    const start = after === null ? 0 : firstBehind(shelf.timestamps, this.#place(after));
    const articles = shelf.articles.slice(start, start + limit);
    const last = articles.at(-1);
    const more = start + limit < shelf.articles.length;
    return { articles, cursor: more && last ? last.createdAt : null };
  }

  toData(): readonly Article[] {
    return this.#all.articles;
  }
}

/**
 * The first place that is after the cursor's. Articles of the cursor's own timestamp count as read: a
 * timestamp cannot say how many of them were (assumption C17).
 */
function firstBehind(timestamps: readonly bigint[], cursor: bigint): number {
  let low = 0;
  let high = timestamps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timestamps[middle] as bigint) < cursor) high = middle;
    else low = middle + 1;
  }
  return low;
}
