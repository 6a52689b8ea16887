// The handles of a `Casa` that change what clients read.
import { flag, number, oneOf, optional, type Shape, text } from '../admin/shape.ts';
import type { Engine } from '../engine/engine.ts';
import type { CasaAccounts, CasaArticles, CasaReviews } from './casa.ts';
import { check } from './check-options.ts';

const reviewShape = {
  organizationId: optional(text()),
  accountId: optional(text()),
  author: optional(text(200)),
  rating: (value, name) => (value === null ? { ok: true, value } : optional(number({ min: 1, max: 5 }))(value, name)),
  text: optional(text(5000)),
  date: optional(text(100)),
} satisfies Shape;

const orNull =
  (read: Shape[string]): Shape[string] =>
  (value, name) =>
    value === null ? { ok: true, value } : optional(read)(value, name);

const articleShape = {
  organizationId: optional(text()),
  id: optional(text(100)),
  siteId: optional(text(100)),
  title: optional(text(500)),
  slug: optional(text(500)),
  status: optional(oneOf(['planned', 'generating', 'draft', 'scheduled', 'published', 'failed'])),
  targetKeyword: orNull(text(500)),
  wordCount: optional(number({ min: 0, max: 1_000_000, whole: true })),
  seoScore: orNull(number({ min: 0, max: 1_000, whole: true })),
  publishedAt: orNull(text(100)),
} satisfies Shape;

const accountShape = {
  organizationId: optional(text()),
  status: optional(oneOf(['pending', 'connected', 'expired', 'revoked', 'pending_api_access'])),
  locked: optional(flag),
  trouble: orNull(oneOf(['provider_error', 'transient', 'rate_limited'])),
  needsPayment: optional(flag),
} satisfies Shape;

export function createReviews(engine: Engine): CasaReviews {
  return {
    arrive: (wishes = {}) => {
      check('casa.reviews.arrive', wishes, reviewShape);
      const { organizationId, accountId, ...review } = wishes;
      const id = idOf(engine, organizationId);
      const accounts = [...(engine.world.organizations.get(id)?.accounts.values() ?? [])];
      const first = accounts.find(({ reviews, status }) => status === 'connected' && reviews.toData().length > 0);
      const added = engine.addReview(id, accountId ?? first?.accountId ?? '', review);
      if (added) return added;
      throw new RangeError(
        `casa.reviews.arrive: there is no account ${accountId ? `"${accountId}"` : 'with reviews'}.`,
      );
    },
  };
}

export function createArticles(engine: Engine): CasaArticles {
  return {
    publish: (id, where = {}) => {
      const published = engine.publishArticle(idOf(engine, where.organizationId), id);
      if (published) return published;
      throw new RangeError(`casa.articles.publish: there is no article "${id}".`);
    },
    put: (wishes = {}) => {
      check('casa.articles.put', wishes, articleShape);
      const { organizationId, ...article } = wishes;
      const made = engine.putArticle(idOf(engine, organizationId), article);
      if (made) return made;
      throw new RangeError('casa.articles.put: the organization has no site.');
    },
  };
}

export function createAccounts(engine: Engine): CasaAccounts {
  return {
    set: (accountId, state) => {
      check('casa.accounts.set', state, accountShape);
      const { organizationId, needsPayment, ...wishes } = state;
      const id = idOf(engine, organizationId);
      if (!engine.changeAccount(id, accountId, wishes)) {
        throw new RangeError(`casa.accounts.set: there is no account "${accountId}".`);
      }
      if (needsPayment !== undefined) engine.changePayment(id, needsPayment ? 'payment_method_required' : 'ok');
    },
  };
}

function idOf({ world }: Engine, organizationId: string | undefined): string {
  const id = organizationId ?? world.organizations.keys().next().value;
  if (id !== undefined && world.organizations.has(id)) return id;
  throw new RangeError(id === undefined ? 'This world has no organization.' : `There is no organization "${id}".`);
}
