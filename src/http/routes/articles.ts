// Cites 4.articles.list.*, 4.articles.get.*.
import { parseInstant } from '../../contract/instants.ts';
import { notFound } from '../../domain/outcome.ts';
import { type Handler, unchanged } from '../handler.ts';

export const listArticles: Handler<'listArticles'> = ({ siteId, limit, cursor }, { organization, world }) => {
  const { articles, sites } = organization;
  if (siteId !== undefined && world.choices.articlesUnknownSite === 'not_found' && !sites.get(siteId))
    return notFound('site');
  const page = articles.page({ siteId, limit, after: cursor === undefined ? null : parseInstant(cursor) });
  return unchanged({ data: page.articles as typeof page.articles & [], cursor: page.cursor });
};

export const getArticle: Handler<'getArticle'> = ({ id }, { organization }) => {
  const article = organization.articles.get(id);
  return article ? unchanged({ data: article }) : notFound('article');
};
