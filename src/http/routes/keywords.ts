// Cites 4.keywords.list.*; choice C21.
import { notFound, ok } from '../../domain/outcome.ts';
import type { Handler } from '../call.ts';

export const listKeywords: Handler<'listKeywords'> = ({ siteId }, { organization, world }) => {
  if (world.choices.unknownSite === 'not_found' && !organization.sites.get(siteId)) return notFound('site');
  return ok({ data: [...organization.keywords.ofSite(siteId)] });
};
