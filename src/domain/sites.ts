// Sites and their keywords: read only. Cites 4.sites.*, 4.keywords.*.
import type { Keyword, Site } from '../contract/generated/types.ts';

/** In the order of the world; the contract states none for GET /sites. */
export class Sites {
  readonly #sites: readonly Site[];
  readonly #byId: ReadonlyMap<string, Site>;

  constructor(sites: readonly Site[]) {
    this.#sites = sites;
    this.#byId = new Map(sites.map((site) => [site.id.toLowerCase(), site]));
  }

  list(): readonly Site[] {
    return this.#sites;
  }

  /** UUIDs are compared without case. */
  get(id: string): Site | undefined {
    return this.#byId.get(id.toLowerCase());
  }
}

/**
 * Grouped by site when a world is loaded, because they are only ever asked for by site. Cites 4.keywords.list.of-site.
 */
export class Keywords {
  readonly #keywords: readonly Keyword[];
  readonly #bySite = new Map<string, Keyword[]>();

  constructor(keywords: readonly Keyword[]) {
    this.#keywords = keywords;
    for (const keyword of keywords) {
      const siteId = keyword.siteId.toLowerCase();
      const ofSite = this.#bySite.get(siteId);
      if (ofSite) ofSite.push(keyword);
      else this.#bySite.set(siteId, [keyword]);
    }
  }

  /**
   * Empty for a site without keywords and for an unknown one: whether the site exists is the caller's question (choice
   * C21).
   */
  ofSite(siteId: string): readonly Keyword[] {
    return this.#bySite.get(siteId.toLowerCase()) ?? [];
  }

  toData(): readonly Keyword[] {
    return this.#keywords;
  }
}
