// What may be said of a review that arrives and of an article that is put. The mock responds
// with it, so it has to be what the contract promises of it.
import { dateTime, number, oneOf, optional, type Reader, text, timestamp, uuid } from './shape.ts';

const orNull =
  <T>(reader: Reader<T>): Reader<T | null | undefined> =>
  (value, name) =>
    value === null ? { ok: true, value: null } : optional(reader)(value, name);

export const reviewShape = {
  author: optional(text(200)),
  rating: orNull(number({ min: 1, max: 5 })),
  text: optional(text(5000)),
  date: optional(dateTime),
} as const;

export const articleShape = {
  id: optional(uuid),
  siteId: optional(uuid),
  title: optional(text(500)),
  slug: optional(text(500)),
  status: optional(oneOf(['planned', 'generating', 'draft', 'scheduled', 'published', 'failed'])),
  targetKeyword: orNull(text(500)),
  wordCount: optional(number({ min: 0, max: 1_000_000, whole: true })),
  seoScore: orNull(number({ min: 0, max: 1000, whole: true })),
  publishedAt: orNull(dateTime),
} as const;

export const troubleShape = orNull(oneOf(['provider_error', 'transient', 'rate_limited']));

/** The organization by its id, or by one of its keys. */
export const organizationShape = { organizationId: optional(text()), key: optional(text()) } as const;

export const ringShape = {
  ...organizationShape,
  direction: optional(oneOf(['inbound', 'outbound'])),
  from: optional(text(50)),
  to: optional(text(50)),
  agent: optional(text(100)),
  durationS: optional(number({ min: 0, max: 86_400 })),
  startedAt: optional(timestamp),
  outcome: optional(text(50)),
  provisional: optional(text(50)),
} as const;
