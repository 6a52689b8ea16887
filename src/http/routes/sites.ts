// Cites 4.sites.list.*, 4.sites.get.*.
import { notFound, ok } from '../../domain/outcome.ts';
import type { Handler } from '../call.ts';

export const listSites: Handler<'listSites'> = (_input, { organization }) =>
  ok({ data: [...organization.sites.list()] });

export const getSite: Handler<'getSite'> = ({ id }, { organization }) => {
  const site = organization.sites.get(id);
  return site ? ok({ data: site }) : notFound('site');
};
