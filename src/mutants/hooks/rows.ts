// One row of a world told wrongly, wherever it is shown: in its list, on every page, and by its id.
import type { Organization } from '../../domain/world.ts';
import type { Edit } from './json-path.ts';
import type { Wrap } from './mutant.ts';
import { type KeyedExchange, onSuccess } from './recipes.ts';
import { isObject, type Json } from './rewrite.ts';

/** Undefined where the organization has no such row: then nothing is changed. */
type IdOf = (organization: Organization) => string | undefined;

/** An article by its rank, newest first, counted from 0. */
export function onArticle(rank: number, edit: Edit): Wrap {
  return onRow(['listArticles', 'getArticle'], ({ articles }) => articles.toData().at(rank)?.id, edit);
}

/** A site by its rank in the list. */
export function onSite(rank: number, edit: Edit): Wrap {
  return onRow(['listSites', 'getSite'], ({ sites }) => sites.list().at(rank)?.id, edit);
}

/** A keyword by its rank among all of them. */
export function onKeyword(rank: number, edit: Edit): Wrap {
  return onRow(['listKeywords'], ({ keywords }) => keywords.toData().at(rank)?.id, edit);
}

/** By id and not by place, so that the row is wrong on every page and behind every filter. */
function onRow(
  operations: readonly ('listArticles' | 'getArticle' | 'listSites' | 'getSite' | 'listKeywords')[],
  idOf: IdOf,
  edit: Edit,
): Wrap {
  return onSuccess(operations, (body, { organization }: KeyedExchange) => {
    if (!isObject(body)) return body;
    const id = idOf(organization);
    const editRow = (row: Json) => (isObject(row) && row.id === id ? edit(row) : row);
    const { data } = body;
    return { ...body, data: Array.isArray(data) ? data.map(editRow) : editRow(data ?? null) };
  });
}
