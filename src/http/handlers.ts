// The handler of each operation; the code does not compile without one.
import { formatTimestamp, parseTimestamp, parseTimestampMs } from '../contract/timestamps.ts';
import { admitAction, checkPayment, draftPost } from '../domain/actions.ts';
import { describeInsights } from '../domain/insights.ts';
import { admitLink, createLink, describeNewLink, listAccounts } from '../domain/links.ts';
import { invalidInput, notFound, ok } from '../domain/outcome.ts';
import { reviewStyle } from '../domain/reviews.ts';
import { count } from '../terminal/count.ts';
import { type Handlers, unchanged } from './handler.ts';

export const handlers: Handlers = {
  // Cites 4.articles.list.*, 4.articles.get.*.
  listArticles: ({ siteId, limit, cursor }, { organization, world }) => {
    const { articles, sites } = organization;
    const { articlesUnknownSite, articlePageCap, articleEnd } = world.behavior;
    // A filter that is no UUID names no site: it got this far because it finds nothing.
    const isSite = siteId !== undefined && /^[0-9a-f-]{36}$/i.test(siteId);
    if (isSite && articlesUnknownSite === 'not_found' && !sites.get(siteId)) return notFound('site');
    const most = Math.min(limit, articlePageCap);
    const page = articles.page({ siteId, limit: most, after: cursor === undefined ? null : parseTimestamp(cursor) });
    const goesOn = articleEnd === 'empty-page' || (articleEnd === 'not-full' && page.articles.length === most);
    const next = goesOn ? (page.articles.at(-1)?.createdAt ?? null) : page.cursor;
    return unchanged({ data: page.articles as typeof page.articles & [], cursor: next });
  },
  getArticle: ({ id }, { organization }) => {
    const article = organization.articles.get(id);
    return article ? unchanged({ data: article }) : notFound('article');
  },
  // Cites 4.sites.list.*, 4.sites.get.*.
  listSites: (_input, { organization }) => unchanged({ data: [...organization.sites.list()] }),
  getSite: ({ id }, { organization }) => {
    const site = organization.sites.get(id);
    return site ? unchanged({ data: site }) : notFound('site');
  },
  // Cites 4.keywords.list.*; assumption C21.
  listKeywords: ({ siteId }, { organization, world }) => {
    if (world.behavior.unknownSite === 'not_found' && !organization.sites.get(siteId)) return notFound('site');
    return unchanged({ data: [...organization.keywords.ofSite(siteId)] });
  },
  // Cites 4.connect.create-link.*, 4.connect.list-accounts.*.
  createConnectLink: (input, { organization, world, nowMs, origin }) => {
    const payment = checkPayment(organization.payment);
    if (!payment.ok) return payment;
    const admitted = admitLink(organization.links, nowMs);
    if (!admitted.ok) return admitted;
    const link = createLink(input, { random: world.random, nowMs });
    const data = describeNewLink(link, origin);
    return ok({
      output: { data, summary: `Connect link for ${data.provider} created: ${data.label}.` },
      change: { kind: 'link', organizationId: organization.id, link },
    });
  },
  listAccounts: (_input, { organization, nowMs }) => {
    const data = listAccounts(organization, nowMs);
    return unchanged({
      data,
      summary: `${count(data.accounts.length, 'account')}, ${count(data.pendingInvites.length, 'pending invite')}.`,
    });
  },
  // Cites 4.connect.create-post.*.
  createPost: (input, { organization, world, nowMs }) => {
    const admitted = admitAction(organization, { accountId: input.accountId, action: 'posts', paid: true });
    if (!admitted.ok) return admitted;
    const { accountId, provider, label } = admitted.value;
    const post = draftPost(provider, input, { random: world.random, nowMs });
    const { postId, permalink } = post;
    return ok({
      output: { data: { postId, permalink }, summary: `Posted to ${label}.` },
      change: { kind: 'post', organizationId: organization.id, accountId, post },
    });
  },
  // Cites 4.connect.list-reviews.*, 4.connect.reply.*.
  listReviews: ({ accountId, cursor }, { organization, world }) => {
    const admitted = admitAction(organization, { accountId, action: 'reviews', paid: false, states: world.behavior });
    if (!admitted.ok) return admitted;
    const { reviews, label } = admitted.value;
    const page = reviews.page(cursor, reviewStyle(world.behavior, cursor, admitted.value));
    if (!page.ok) return page;
    return unchanged({ data: page.value, summary: `${count(page.value.reviews.length, 'review')} of ${label}.` });
  },
  replyToReview: ({ accountId, reviewId, text }, { organization, nowMs }) => {
    const admitted = admitAction(organization, { accountId, action: 'reviews', paid: true });
    if (!admitted.ok) return admitted;
    const review = admitted.value.reviews.get(reviewId);
    if (!review) return notFound('review');
    const data = { repliedAt: formatTimestamp(nowMs) };
    return ok({
      output: { data, summary: `Replied to the review of ${review.author}.` },
      change: { kind: 'reply', organizationId: organization.id, accountId: admitted.value.accountId, reviewId, text },
    });
  },
  // Cites 4.connect.insights.*.
  getInsights: ({ accountId, range }, { organization, world, nowMs }) => {
    const admitted = admitAction(organization, { accountId, action: 'insights', paid: false, states: world.behavior });
    if (!admitted.ok) return admitted;
    const { insightPoints, insightLagDays, numbers } = world.behavior;
    const data = describeInsights(admitted.value, range, {
      nowMs,
      points: insightPoints,
      lagDays: insightLagDays,
      hasFractions: numbers === 'fractions',
    });
    return unchanged({
      data,
      summary: `Insights of ${admitted.value.label}, ${data.range.startDate} to ${data.range.endDate}.`,
    });
  },
  // Cites 4.calls.*.
  listCalls: ({ since, limit: asked }, { organization, world, nowMs }) => {
    const { calls } = organization;
    const { callsPageCap, snapshotRunning, snapshotCursor } = world.behavior;
    const limit = Math.min(asked, callsPageCap);
    if (since === undefined) {
      const shown = calls.snapshot({ limit, nowMs, unsettled: snapshotRunning === 'show' });
      const data = snapshotCursor === 'string' ? { ...shown, nextCursor: calls.position(nowMs) } : shown;
      return unchanged({ data, summary: `The ${data.calls.length} newest calls.` });
    }
    if (world.behavior.futureSince === 'reject' && (parseTimestampMs(since) ?? 0) > nowMs)
      return invalidInput([{ path: '/since', message: 'since must not be in the future.', rule: 'future' }]);
    const data = calls.since(since, { limit, nowMs });
    return unchanged({
      data,
      summary: data.calls.length === 0 ? 'Nothing new.' : `${count(data.calls.length, 'call')}.`,
    });
  },
};
