// Decides an admitted REST or MCP request. The order is the contract's: validation, existence, state of the account,
// platform; a fault on demand fires at the stage that owns its error.

import type { Article, ListArticlesResponse } from '../contract/generated/types.ts';
import type { WorldChange } from '../domain/change.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { AnyHandler, HandlerContext } from './handler.ts';
import type { CoreResponse } from './message.ts';
import {
  renderComplaint,
  renderCustom,
  renderFault,
  renderInvalidInput,
  renderJson,
  renderRejection,
} from './render.ts';
import type { AnyOperation } from './route.ts';
import { findViolation } from './strict.ts';
import { applyFault, type Draft } from './trace.ts';

export interface Decision {
  readonly response: CoreResponse;
  /** The handler's response before it was written as JSON; null for a rejection. */
  readonly output: object | null;
  /** The change that the request asks for; null for a read and for a rejection. Nothing has been changed yet. */
  readonly change: WorldChange | null;
}

/** The parts in which REST and MCP differ. */
export interface Stages {
  readonly operation: AnyOperation;
  readonly readInput: () => Outcome<object>;
  readonly handler: AnyHandler;
}

/** The input comes first, because every later stage needs a valid one (assumption C1). Cites 7.code.invalid-input. */
export function operate({ operation, readInput, handler }: Stages, context: HandlerContext, trace: Draft): Decision {
  if (trace.complaint !== null) return rejection(renderComplaint(trace.complaint));
  const custom = trace.fault?.respond;
  if (custom !== undefined) {
    const response = renderCustom(custom);
    trace.fired = true;
    trace.violates = findViolation(response, operation, { forced: false }) ?? undefined;
    return rejection(response);
  }
  if (applyFault('invalid_input', trace)) return rejection(renderInvalidInput(operation));
  const input = readInput();
  if (!input.ok) return rejection(renderRejection(input.rejection));
  // Every other fault belongs to a stage after the validation: existence, state of the account, the platform.
  const late = trace.fault?.error;
  if (late && applyFault(late, trace)) return rejection(renderFault(late));
  const handled = handler(input.value, context);
  if (!handled.ok) return rejection(renderRejection(handled.rejection));
  const { output, change } = handled.value;
  return { response: serialize(operation.id, output), output, change };
}

export function rejection(response: CoreResponse): Decision {
  return { response, output: null, change: null };
}

// Turns a handler's output into JSON. Articles never change, so the text of each article and the bytes of each page are
// cached: encoding repeated pages would cost more than the rest of a request.

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
