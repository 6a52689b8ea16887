// Cites 4.keywords.list.*; choice C21.
import { notFound } from '../../domain/outcome.ts';
import { type Handler, unchanged } from '../handler.ts';

export const listKeywords: Handler<'listKeywords'> = ({ siteId }, { organization, world }) => {
  if (world.choices.unknownSite === 'not_found' && !organization.sites.get(siteId)) return notFound('site');
  return unchanged({ data: [...organization.keywords.ofSite(siteId)] });
};
