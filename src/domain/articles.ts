// Articles of one organization, newest first (choice C16) unless told otherwise; a cursor is found in logarithmic time.
// Cites 4.articles.list.*, 4.articles.get.*.

import { instantStepNs } from '../contract/forms.ts';
import type { Article } from '../contract/generated/types.ts';
import { parseInstant } from '../contract/instants.ts';
import type { Choices } from './choices.ts';

/** The answer to `listArticles` but for its envelope. Cites 4.articles.list.cursor. */
export interface ArticlePage {
  readonly articles: readonly Article[];
  /** The createdAt of the last article of the page, or null when no further one exists. */
  readonly cursor: string | null;
}

/** Two arrays of one length: the search for a cursor reads the instants alone and never parses a text twice. */
interface Shelf {
  readonly articles: Article[];
  /** createdAt of each article in nanoseconds, with the sign of the order; never increasing. */
  readonly instants: bigint[];
}

/** How the list is kept: its order, and the step of the form in which cursors are written. */
export interface ShelfStyle {
  readonly isOldestFirst: boolean;
  readonly stepNs: bigint;
}

const plainShelf: ShelfStyle = { isOldestFirst: false, stepNs: 1n };

const nsPerMs = 1_000_000n;

/**
 * A cursor in whole seconds stands for all articles of its second. From milliseconds on a cursor is written with all
 * digits that an instant has.
 */
export function articleShelf({ articleOrder, instantForm }: Choices): ShelfStyle {
  const stepNs = instantStepNs(instantForm);
  return { isOldestFirst: articleOrder === 'oldest', stepNs: stepNs <= nsPerMs ? 1n : stepNs };
}

/**
 * Indexed when a world is loaded, since clients only read articles: a page costs a binary search and a slice, however
 * many articles there are. Ids are compared without case (UUIDs, ruling R9).
 */
export class Articles {
  #all: Shelf = { articles: [], instants: [] };
  readonly #bySite = new Map<string, Shelf>();
  readonly #byId = new Map<string, Article>();

  readonly #style: ShelfStyle;

  constructor(articles: readonly Article[], style: ShelfStyle = plainShelf) {
    this.#style = style;
    this.#index(articles);
  }

  /** Adds an article, or puts it in the place of the one of its id. The index is made anew: nobody does this often. */
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
    const dated = articles.map((article) => ({ article, instant: this.#place(parseInstant(article.createdAt) ?? 0n) }));
    dated.sort((a, b) => (a.instant < b.instant ? 1 : a.instant > b.instant ? -1 : 0));
    this.#all = { articles: dated.map(({ article }) => article), instants: dated.map(({ instant }) => instant) };
    for (const { article, instant } of dated) {
      this.#byId.set(article.id.toLowerCase(), article);
      const siteId = article.siteId.toLowerCase();
      let shelf = this.#bySite.get(siteId);
      if (!shelf) {
        shelf = { articles: [], instants: [] };
        this.#bySite.set(siteId, shelf);
      }
      shelf.articles.push(article);
      shelf.instants.push(instant);
    }
  }

  /** Greater comes first. */
  #place(instant: bigint): bigint {
    const { isOldestFirst, stepNs } = this.#style;
    const step = instant - (((instant % stepNs) + stepNs) % stepNs);
    return isOldestFirst ? -step : step;
  }

  get(id: string): Article | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** The articles after the cursor's instant. A tie across a page edge loses articles: the hazard of choice C17. */
  page({ siteId, limit, after }: { siteId?: string | undefined; limit: number; after: bigint | null }): ArticlePage {
    const shelf = siteId === undefined ? this.#all : this.#bySite.get(siteId.toLowerCase());
    if (!shelf) return { articles: [], cursor: null };
    const start = after === null ? 0 : firstBehind(shelf.instants, this.#place(after));
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
 * The first place that is behind the cursor's. Articles of the cursor's own instant count as read: a
 * timestamp cannot say how many of them were (choice C17).
 */
function firstBehind(instants: readonly bigint[], cursor: bigint): number {
  let low = 0;
  let high = instants.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((instants[middle] as bigint) < cursor) high = middle;
    else low = middle + 1;
  }
  return low;
}
