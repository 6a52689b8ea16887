// Shared by the built-in and the generated worlds: names, timestamp, keys.

import type { KeyData } from '../domain/world-data.ts';

/** Names that a user may give instead of a file. */
export const worldNames = ['default', 'empty', 'tied-articles', 'unpaid'] as const;

export type WorldName = (typeof worldNames)[number];

/** The timestamp at which the built-in and the generated worlds were written. Rebasing moves it to the clock. */
export const worldAnchor = '2026-01-15T12:00:00.000Z';

// API keys of the built-in and the generated worlds. They depend on the organization's number alone, so a client
// keeps its key when it changes the world. They open only a mock. Cites 5.key-form.
const wellKnown: readonly string[] = ['0123456789abcdef0123456789abcdef', 'fedcba9876543210fedcba9876543210'];

/** The valid key of an organization, counted from 1. */
function goodKey(organizationNumber: number): string {
  return `casa_${wellKnown[organizationNumber - 1] ?? organizationNumber.toString(16).padStart(32, '0')}`;
}

/** A key that was good once and is revoked: 401 `unauthorized`. Cites 5.revoked-key. */
const revokedKey = 'casa_deadbeefdeadbeefdeadbeefdeadbeef';

/** `organizationNumber` counts from 1. The first has a revoked key as well. */
export function organizationKeys(organizationNumber: number): KeyData[] {
  const good: KeyData = { key: goodKey(organizationNumber), label: 'Main', revoked: false };
  return organizationNumber === 1 ? [good, { key: revokedKey, label: 'Revoked', revoked: true }] : [good];
}

/** The records of a new organization, with the MCP endpoint's lists. */
export const emptyRecords = {
  sites: [],
  articles: [],
  keywords: [],
  accounts: [],
  links: [],
  calls: [],
  inbox: [],
  customers: [],
  contacts: [],
};

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
