// Cites 4.articles.list.*, 4.articles.get.*.
import { parseInstant } from '../../contract/instants.ts';
import { notFound } from '../../domain/outcome.ts';
import { type Handler, unchanged } from '../handler.ts';

export const listArticles: Handler<'listArticles'> = ({ siteId, limit, cursor }, { organization, world }) => {
  const { articles, sites } = organization;
  const { articlesUnknownSite, articlePageCap, articleEnd } = world.choices;
  // A filter that is no UUID names no site: it got this far because it finds nothing.
  const isSite = siteId !== undefined && /^[0-9a-f-]{36}$/i.test(siteId);
  if (isSite && articlesUnknownSite === 'not_found' && !sites.get(siteId)) return notFound('site');
  const most = Math.min(limit, articlePageCap);
  const page = articles.page({ siteId, limit: most, after: cursor === undefined ? null : parseInstant(cursor) });
  const goesOn = articleEnd === 'empty-page' || (articleEnd === 'not-full' && page.articles.length === most);
  const next = goesOn ? (page.articles.at(-1)?.createdAt ?? null) : page.cursor;
  return unchanged({ data: page.articles as typeof page.articles & [], cursor: next });
};

export const getArticle: Handler<'getArticle'> = ({ id }, { organization }) => {
  const article = organization.articles.get(id);
  return article ? unchanged({ data: article }) : notFound('article');
};
