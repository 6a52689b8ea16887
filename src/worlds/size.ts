// How much a generated world holds. Sizes are those of the first organization; the others stay small.

/** Counts of records in one world. */
export interface WorldSize {
  readonly organizations: number;
  readonly sites: number;
  readonly articles: number;
  /** Over all sites but the last, which has none. */
  readonly keywords: number;
  readonly calls: number;
  /** Of the first google_business account. */
  readonly reviews: number;
}

/** Sizes of the world `default`: more articles and calls than fit into one page, so a client has to page. */
export const defaultSize: WorldSize = {
  organizations: 2,
  sites: 3,
  articles: 57,
  keywords: 48,
  calls: 260,
  reviews: 27,
};

/** A further organization: small but complete. */
export const smallSize: WorldSize = { organizations: 1, sites: 1, articles: 7, keywords: 6, calls: 12, reviews: 3 };

/** The range of each number. Articles and keywords belong to a site, so there is at least one. */
export const worldRanges: Readonly<Record<keyof WorldSize | 'seed', readonly [min: number, max: number]>> = {
  seed: [0, 0xffff_ffff],
  organizations: [1, 1_000],
  sites: [1, 10_000],
  articles: [0, 1_000_000],
  keywords: [0, 1_000_000],
  calls: [0, 1_000_000],
  reviews: [0, 100_000],
};
