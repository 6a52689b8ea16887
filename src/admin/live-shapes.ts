// What may be said of a review that arrives and of an article that is put.
import { number, oneOf, optional, type Reader, text } from './shape.ts';

const orNull =
  <T>(reader: Reader<T>): Reader<T | null | undefined> =>
  (value, name) =>
    value === null ? { ok: true, value: null } : optional(reader)(value, name);

export const reviewShape = {
  author: optional(text(200)),
  rating: orNull(number({ min: 1, max: 5 })),
  text: optional(text(5000)),
  date: optional(text(100)),
} as const;

export const articleShape = {
  id: optional(text(100)),
  siteId: optional(text(100)),
  title: optional(text(500)),
  slug: optional(text(500)),
  status: optional(oneOf(['planned', 'generating', 'draft', 'scheduled', 'published', 'failed'])),
  targetKeyword: orNull(text(500)),
  wordCount: optional(number({ min: 0, max: 1_000_000, whole: true })),
  seoScore: orNull(number({ min: 0, max: 1000, whole: true })),
  publishedAt: orNull(text(100)),
} as const;

export const troubleShape = orNull(oneOf(['provider_error', 'transient', 'rate_limited']));
