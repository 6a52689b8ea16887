// Turns a handler's output into JSON. Articles never change, so the text of each article and the bytes of each page are
// cached: encoding repeated pages would cost more than the rest of a request.
import type { Article, ListArticlesResponse } from '../contract/generated/types.ts';
import type { CoreResponse } from './message.ts';
import { renderJson } from './render.ts';
import type { AnyOperation } from './route.ts';

interface Page {
  readonly articles: readonly Article[];
  readonly cursor: string | null;
  readonly bytes: Uint8Array;
}

const textOf = new WeakMap<Article, string>();
/** Pages by their first article. A change of an article makes a new object, also in the middle of a page. */
let pages = new WeakMap<Article, Page>();
let pageBytes = 0;
const pageBytesMax = 8_000_000;
const encoder = new TextEncoder();

export function serialize(id: AnyOperation['id'], output: object): CoreResponse {
  const body = id === 'listArticles' ? serializeArticles(output as ListArticlesResponse) : JSON.stringify(output);
  return renderJson(200, body);
}

function serializeArticles({ data, cursor }: ListArticlesResponse): string | Uint8Array {
  const first = data[0];
  if (!first) return JSON.stringify({ data, cursor });
  const known = pages.get(first);
  const isSame = known?.articles.length === data.length && data.every((article, i) => article === known.articles[i]);
  if (known && isSame && known.cursor === cursor) return known.bytes;
  const bytes = encoder.encode(`{"data":[${data.map(articleText).join(',')}],"cursor":${JSON.stringify(cursor)}}`);
  if (pageBytes + bytes.length > pageBytesMax) {
    pages = new WeakMap();
    pageBytes = 0;
  }
  pageBytes += bytes.length;
  pages.set(first, { articles: data, cursor, bytes });
  return bytes;
}

function articleText(article: Article): string {
  let text = textOf.get(article);
  if (text === undefined) {
    text = JSON.stringify(article);
    textOf.set(article, text);
  }
  return text;
}
