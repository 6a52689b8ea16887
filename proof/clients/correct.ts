// Clients without a mistake, in five styles.
import { type ApiError, type Call, createClient } from '../../src/api/index.ts';
import { type Connection, type Json, readInstant, rightParts, sleep, tour } from './parts.ts';

/** With the client of the package, which gives up a call after 15 seconds. */
async function ours({ baseUrl, apiKey, signal, saw }: Connection): Promise<void> {
  const api = createClient({ baseUrl, key: apiKey });
  const { data: sites } = await api.listSites();
  saw(...sites.map(({ id }) => id));
  for await (const { id, createdAt } of api.articles({ limit: 4 })) saw({ id, createdMs: readInstant(createdAt) });
  for (const { id } of sites) saw(...(await api.listKeywords({ siteId: id })).data.map((keyword) => keyword.id));
  const { data } = await api.listAccounts();
  for (const { accountId } of data.accounts) {
    for await (const { reviewId } of api.reviews(accountId)) saw(reviewId);
    await api.getInsights({ accountId });
    await api.createPost({ accountId, text: 'Open today' }).catch((error: ApiError) => saw({ failed: error.code }));
  }
  for await (const { id } of api.calls({ signal }) as AsyncGenerator<Call>) saw(id);
}

/** A script that reads each list once, in a loop around fetch, and ends. */
async function script({ baseUrl, apiKey }: Connection): Promise<unknown> {
  const read = async (path: string): Promise<Json> => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${apiKey}` } });
      if (response.ok) return response.json();
      if (![429, 502, 503].includes(response.status) || attempt === 4) throw new Error(`${path}: ${response.status}`);
      const told = response.headers.get('retry-after');
      const reset = Number(response.headers.get('x-ratelimit-reset') ?? 0) - Date.now();
      const waitMs = told === null ? Math.max(reset, 0) : Number(told) * 1_000;
      await sleep(response.status === 429 && (told !== null || reset > 0) ? waitMs + 100 : 500 * 3 ** attempt);
    }
  };
  const articles: Json[] = [];
  let cursor: string | null = null;
  do {
    const page: Json = await read(
      `/articles?limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    articles.push(...page.data);
    cursor = page.cursor;
  } while (cursor !== null);
  return { articles, sites: (await read('/sites')).data, accounts: (await read('/connect/accounts')).data.accounts };
}

class Sdk {
  readonly #connection: Connection;
  #nextMs = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** One request a second at most, and a pause of all requests after a 429. */
  async send(path: string, body?: object, attempt = 1): Promise<Json> {
    await sleep(Math.max(0, this.#nextMs - Date.now()));
    this.#nextMs = Date.now() + 1_000;
    const { baseUrl, apiKey } = this.#connection;
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const response = await fetch(baseUrl + path, init);
    const answer = await response.json();
    if (response.status === 200) return answer;
    if (![429, 502, 503].includes(response.status) || (body && response.status !== 429) || attempt > 3)
      throw new Error(answer.error?.code ?? answer.error);
    const told = response.headers.get('retry-after') ?? '';
    const reset = Number(response.headers.get('x-ratelimit-reset') ?? Date.now());
    const limitedMs = told === '' ? reset - Date.now() : Number(told) * 1_000;
    this.#nextMs = Date.now() + Math.max(response.status === 429 ? limitedMs : 0, 2_000 * attempt ** 2);
    return this.send(path, body, attempt + 1);
  }
}

/** A class with its own pace, which reads reviews and answers the first one. */
async function sdk(connection: Connection): Promise<void> {
  const api = new Sdk(connection);
  const { data } = await api.send('/connect/accounts');
  for (const { accountId } of data.accounts) {
    const ids: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query: string = cursor === undefined ? '' : `?${new URLSearchParams({ cursor: cursor as string })}`;
      const page: Json = (await api.send(`/connect/accounts/${accountId}/reviews${query}`)).data;
      for (const { reviewId } of page.reviews) ids.push(reviewId);
      cursor = page.nextCursor;
    } while (typeof cursor === 'string');
    connection.saw(ids);
    if (ids[0] === undefined) continue;
    const path = `/connect/accounts/${accountId}/reviews/${encodeURIComponent(ids[0])}/reply`;
    await api.send(path, { text: 'Thank you' });
  }
}

/** A worker that only polls, survives errors, and hands each call on once. */
async function worker({ baseUrl, apiKey, signal, saw }: Connection): Promise<void> {
  let since = new Date().toISOString();
  let errors = 0;
  const handled = new Set<string>();
  while (!signal.aborted) {
    let waitMs = 61_000;
    try {
      const query = new URLSearchParams({ since, limit: '200' });
      const headers = { authorization: `Bearer ${apiKey}` };
      const response = await fetch(`${baseUrl}/connect/calls/log?${query}`, { headers });
      const told = Number(response.headers.get('retry-after') ?? 0) * 1_000;
      const reset = Number(response.headers.get('x-ratelimit-reset') ?? 0) - Date.now();
      if (!response.ok) {
        errors += 1;
        waitMs = Math.max(told || reset, 30_000 * errors);
        if (response.status < 429 && response.status !== 408) throw new Error(`stopped: ${response.status}`);
      } else {
        const { data } = await response.json();
        errors = 0;
        for (const { id } of data.calls) if (!handled.has(id)) saw({ call: id });
        for (const { id } of data.calls) handled.add(id);
        since = data.nextCursor ?? since;
        if (data.calls.length === 200) waitMs = 0;
      }
    } catch (error) {
      if (String(error).includes('stopped')) throw error;
      errors += 1;
    }
    await sleep(waitMs);
  }
}

/** Reads with four requests at once. */
function queue(connection: Connection): Promise<void> {
  return tour(connection, {
    ...rightParts,
    each: async (items, work) => {
      const rest = [...items];
      const lane = async () => {
        for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
      };
      await Promise.all([lane(), lane(), lane(), lane()]);
    },
  });
}

export const correctClients: Readonly<Record<string, (connection: Connection) => Promise<unknown>>> = {
  'the client of casa-kit/api': ours,
  'a script on fetch': script,
  'a class with its own pace': sdk,
  'a polling worker': worker,
  'a queue of four': queue,
};
