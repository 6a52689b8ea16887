// Turns a handler's output into JSON. Articles never change, so each keeps its text: a list is put together from parts.
import type { OperationId } from '../contract/generated/operations.ts';
import type { Article, ListArticlesResponse } from '../contract/generated/types.ts';
import type { CoreResponse } from './message.ts';
import { renderJson } from './render.ts';

const textOf = new WeakMap<Article, string>();

export function serialize(id: OperationId, output: object): CoreResponse {
  return renderJson(
    200,
    id === 'listArticles' ? serializeArticles(output as ListArticlesResponse) : JSON.stringify(output),
  );
}

function serializeArticles({ data, cursor }: ListArticlesResponse): string {
  let list = '';
  for (const article of data) {
    let text = textOf.get(article);
    if (text === undefined) {
      text = JSON.stringify(article);
      textOf.set(article, text);
    }
    list += list === '' ? text : `,${text}`;
  }
  return `{"data":[${list}],"cursor":${JSON.stringify(cursor)}}`;
}
