// The handles of a `Casa` that change what clients read.
import { articleShape, reviewShape, troubleShape } from '../admin/live-shapes.ts';
import { flag, oneOf, optional, type Shape, text } from '../admin/shape.ts';
import type { Engine } from '../engine/engine.ts';
import type { CasaAccounts, CasaArticles, CasaReviews } from './casa.ts';
import { check } from './check-options.ts';

const where = { organizationId: optional(text()) } satisfies Shape;

const accountShape = {
  ...where,
  status: optional(oneOf(['pending', 'connected', 'expired', 'revoked', 'pending_api_access'])),
  locked: optional(flag),
  trouble: troubleShape,
  needsPayment: optional(flag),
} satisfies Shape;

export function createReviews(engine: Engine): CasaReviews {
  return {
    arrive: (wishes = {}) => {
      check('casa.reviews.arrive', wishes, { ...where, accountId: optional(text()), ...reviewShape });
      const { organizationId, accountId, ...review } = wishes;
      const id = idOf(engine, organizationId);
      const added = engine.addReview(id, accountId, review);
      if (added.ok) return added.value;
      const { code, message } = added.rejection;
      const which = accountId === undefined ? 'with reviews' : `"${accountId}"`;
      throw new RangeError(`casa.reviews.arrive: ${code === 'not_found' ? `there is no account ${which}.` : message}`);
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
      check('casa.articles.put', wishes, { ...where, ...articleShape });
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
