// What happens in the world while an application looks: a review arrives, an article is published. The contract shows
// no way to bring that about. Cites 3.transitions.
import type { Article, ReviewItem } from '../contract/generated/types.ts';
import { formatInstant } from '../contract/instants.ts';
import { checkSupport } from '../domain/actions.ts';
import { notFound, type Outcome, ok } from '../domain/outcome.ts';
import { type Organization, toAccountData } from '../domain/world.ts';
import type { EngineCore } from './core.ts';

/** Everything may be left out: a good review then arrives now. */
export interface ReviewWishes {
  readonly author?: string | undefined;
  /** 1 to 5, or null; 5 when absent. */
  readonly rating?: number | null | undefined;
  readonly text?: string | undefined;
  /** ISO 8601; now when absent. */
  readonly date?: string | undefined;
}

/** Everything may be left out: a draft of the first site is then added. */
export type ArticleWishes = Partial<Omit<Article, 'createdAt' | 'updatedAt'>>;

/** Rejected where the organization has no such account, and where no request could ever read the review. */
export function addReview(
  core: EngineCore,
  organizationId: string,
  { accountId, wishes }: { accountId: string; wishes: ReviewWishes },
): Outcome<ReviewItem> {
  const account = core.world.organizations.get(organizationId)?.accounts.get(accountId.toLowerCase());
  if (!account) return notFound('account');
  const support = checkSupport(account.provider, 'reviews');
  if (!support.ok) return support;
  const { author = 'A new customer', rating = 5, text = 'Very good.', date } = wishes;
  const review: ReviewItem = {
    reviewId: `review_${core.world.random.hex(16)}`,
    author,
    rating,
    text,
    date: date ?? formatInstant(core.world.clock.now()),
    replied: false,
  };
  const data = toAccountData(account);
  const changed = { ...data, reviews: [review, ...data.reviews] };
  core.changeFromOutside({ kind: 'account', organizationId, account: changed }, 'organizations');
  return ok(review);
}

/** Adds an article, or changes the one of this id. Null when a new one has no site. */
export function putArticle(core: EngineCore, organization: Organization, wishes: ArticleWishes): Article | null {
  const now = formatInstant(core.world.clock.now());
  const known = wishes.id === undefined ? undefined : organization.articles.get(wishes.id);
  const siteId = wishes.siteId ?? known?.siteId ?? organization.sites.list()[0]?.id;
  if (siteId === undefined) return null;
  const title = wishes.title ?? known?.title ?? 'A new article';
  const article: Article = {
    id: core.world.random.uuid(),
    slug: title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
    status: 'draft',
    targetKeyword: null,
    wordCount: 800,
    seoScore: null,
    publishedAt: null,
    createdAt: now,
    ...known,
    ...wishes,
    title,
    siteId,
    updatedAt: now,
  };
  core.changeFromOutside({ kind: 'article', organizationId: organization.id, article }, 'organizations');
  return article;
}

/** Null when the organization has no such article. */
export function publishArticle(core: EngineCore, organization: Organization, id: string): Article | null {
  const article = organization.articles.get(id);
  if (!article) return null;
  const publishedAt = formatInstant(core.world.clock.now());
  return putArticle(core, organization, { id: article.id, status: 'published', publishedAt });
}
