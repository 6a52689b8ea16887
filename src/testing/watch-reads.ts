// Notes which fields of responses a client reads, for `toRelyOnlyOn`.
import { basisIn } from '../contract/basis.ts';
import { presenceIn } from '../engine/request-log-record.ts';
import { route } from '../http/route.ts';
import type { Casa } from './casa.ts';

/** Operation and path of each field that was read. */
const readsOf = new WeakMap<object, Set<string>>();

/** The generators of the client of `casa-kit/api`, and the records that they yield. */
const generators: Readonly<Record<string, readonly [operation: string, path: string]>> = {
  articles: ['listArticles', '/data/*'],
  reviews: ['listReviews', '/data/reviews/*'],
  calls: ['listCalls', '/data/calls/*'],
};

/**
 * Returns the same client, or the same `fetch`, and notes which fields of its responses are read. A field counts as
 * read if code accesses it, also when it prints or compares a whole record. For `fetch`, it watches `response.json()`.
 *
 * @example
 * const api = watchReads(casa, createClient({ baseUrl: casa.baseUrl, key: casa.keys.good }));
 * await showArticles(api);
 * expect(casa).toRelyOnlyOn('contract', 'learnt');
 */
export function watchReads<Client extends object>(casa: Casa, client: Client): Client {
  const reads = readsOf.get(casa) ?? new Set<string>();
  readsOf.set(casa, reads);
  if (typeof client === 'function') return watchFetch(client as never, reads) as unknown as Client;
  return new Proxy(client, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]) => watchResult(method.apply(target, given), String(name), reads);
    },
  });
}

function watchResult(result: unknown, name: string, reads: Set<string>): unknown {
  const [operation, path] = generators[name] ?? [name, ''];
  if (result instanceof Promise) return result.then((body) => watch(body, `${operation} ${path}`, reads));
  const isGenerator = typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
  return isGenerator ? watchEach(result as AsyncIterable<unknown>, `${operation} ${path}`, reads) : result;
}

async function* watchEach(records: AsyncIterable<unknown>, at: string, reads: Set<string>) {
  for await (const record of records) yield watch(record, at, reads);
}

function watchFetch(fetch: typeof globalThis.fetch, reads: Set<string>): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isRequest = typeof input === 'object' && 'url' in input;
    const { pathname } = new URL(isRequest ? input.url : String(input), 'http://127.0.0.1');
    const found = route(init?.method ?? (isRequest ? input.method : 'GET'), pathname);
    if (typeof found === 'string' || !response.ok) return response;
    return new Proxy(response, {
      get(target, name) {
        if (name === 'json') return async () => watch(await target.json(), `${found.operation.id} `, reads);
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
}

function watch(value: unknown, at: string, reads: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, name) {
      const field: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return field;
      if (Array.isArray(target)) return name === 'length' ? field : watch(field, `${at}/*`, reads);
      reads.add(`${at}/${name}`);
      return watch(field, `${at}/${name}`, reads);
    },
  });
}

/**
 * Returns the fields that the client has read and whose presence has another basis, as `listArticles
 * /data/*\/seoScore`.
 */
export function readsBeyond(casa: Casa, allowed: readonly string[]): string[] {
  const reads = readsOf.get(casa);
  if (reads === undefined)
    throw new TypeError('toRelyOnlyOn needs a watched client: const api = watchReads(casa, client).');
  return [...reads].flatMap((read) => {
    const [operation = '', path = ''] = read.split(' ');
    const isOfError = /^\/error\b/.test(path);
    const record = casa.requests
      .all()
      .findLast((each) => each.operation === operation && (each.response.status !== 200) === isOfError);
    const basis = basisIn(presenceIn(record), path);
    return allowed.some((kind) => basis.startsWith(kind)) ? [] : [`${read}: ${basis}`];
  });
}
