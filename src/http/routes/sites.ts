// Cites 4.sites.list.*, 4.sites.get.*.
import { notFound } from '../../domain/outcome.ts';
import { type Handler, unchanged } from '../handler.ts';

export const listSites: Handler<'listSites'> = (_input, { organization }) =>
  unchanged({ data: [...organization.sites.list()] });

export const getSite: Handler<'getSite'> = ({ id }, { organization }) => {
  const site = organization.sites.get(id);
  return site ? unchanged({ data: site }) : notFound('site');
};
