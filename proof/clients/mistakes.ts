// Clients with one mistake each, written from the contract alone: the clause says which sentence they miss.
import { setTimeout as pause } from 'node:timers/promises';
import { attemptsMax, backOffMs, type Json, type Parts, poll, retryInMs, rightParts, sleep } from './parts.ts';

const retrying =
  (...statuses: number[]): Parts['retryInMs'] =>
  (failure) =>
    statuses.includes(failure.status) && failure.attempt < attemptsMax ? backOffMs(failure) : retryInMs(failure);

/** A poller that does not keep its position as section 6 says. */
const polling =
  (
    edit: (loop: { since: string | null; page: Json; now: string }) => string | null,
    shown: (call: Json, before: Set<unknown>) => Json[] = ({ id }) => [{ call: id }],
  ): Parts['poll'] =>
  async ({ signal, saw }, api, { limits, pollMs, parameter }) => {
    let since: string | null = new Date().toISOString();
    const before = new Set();
    while (!signal.aborted) {
      const query =
        parameter('?', 'limit', String(limits.calls)) + (since === '' ? '' : parameter('&', 'since', `${since}`));
      const { data: page } = await api('GET', `/connect/calls/log${query}`);
      saw(...page.calls.flatMap((call: Json) => shown(call, before)));
      since = edit({ since, page, now: new Date().toISOString() });
      if (page.calls.length < limits.calls) await sleep(pollMs);
    }
  };

const endOf = (calls: Json[]): string | undefined =>
  calls
    .map(({ endedAt }) => endedAt)
    .sort()
    .at(-1);

/** By what the client does wrong. */
export const mistakes: Readonly<Record<string, Partial<Parts>>> = {
  // 7.retry.never-unchanged
  ...Object.fromEntries([400, 401, 402, 403, 404].map((n) => [`retries a ${n}`, { retryInMs: retrying(n) }])),
  'retries every error': { retryInMs: retrying(400, 401, 402, 403, 404, 500) },
  // 7.retry.retry-after, 7.retry.reset
  'retries a 429 after a fixed second': { retryInMs: retrying(429) },
  'waits at most a minute': { retryInMs: (failure) => capped(failure, 60_000) },
  'waits at most five minutes': { retryInMs: (failure) => capped(failure, 300_000) },
  'reads Retry-After as milliseconds': {
    retryInMs: (failure) => withRetryAfter(failure, (text) => Number(text) + 50),
  },
  'reads one digit of Retry-After': {
    retryInMs: (failure) => withRetryAfter(failure, (text) => Number(text[0]) * 1_000 + 50),
  },
  'ignores X-RateLimit-Reset': {
    retryInMs: (failure) =>
      failure.status === 429 && !failure.headers.has('retry-after') ? backOffMs(failure) : retryInMs(failure),
  },
  'reads X-RateLimit-Reset as seconds from now': {
    retryInMs: (failure) => {
      const reset = failure.headers.get('x-ratelimit-reset');
      if (failure.status !== 429 || failure.headers.has('retry-after') || reset === null) return retryInMs(failure);
      return Number(reset) % 1_000;
    },
  },
  'waits for its own rate limit, but not for the one of a platform': {
    retryInMs: (failure) => (failure.code === 'rate_limited' ? 500 : retryInMs(failure)),
  },
  'fails on the plain string of a rate limit': {
    retryInMs: (failure) => (failure.code === 'rate_limit_exceeded' ? null : retryInMs(failure)),
  },
  // 7.retry.back-off
  'retries a 503 at once': { retryInMs: (failure) => (failure.status === 503 ? nowUpTo(failure) : retryInMs(failure)) },
  'retries a 502 every second': {
    retryInMs: (failure) => (failure.status === 502 && failure.attempt < 20 ? 1_000 : retryInMs(failure)),
  },
  'gives up on the first 503': { retryInMs: (failure) => (failure.status === 503 ? null : retryInMs(failure)) },
  'gives up on the first 502': { retryInMs: (failure) => (failure.status === 502 ? null : retryInMs(failure)) },
  'gives up on a 429': { retryInMs: (failure) => (failure.status === 429 ? null : retryInMs(failure)) },
  'gives up after one retry': { retryInMs: (failure) => (failure.attempt > 1 ? null : retryInMs(failure)) },
  // R60: a lost response says nothing
  'sends a write again after a reset': { retryInMs: (failure) => retryInMs({ ...failure, isWrite: false }) },
  'sends a slow write again': {
    write: async (work) => {
      const late = pause(10_000).then(() => null);
      return (await Promise.race([work(), late])) ?? work();
    },
  },
  'hides the error of a write': { write: (work) => work().catch(() => null) },
  // 5.provider-auth-remedy
  'takes another key after provider_auth': {
    key: ({ apiKey }, failure) => (failure?.code === 'provider_auth' ? `casa_${'f'.repeat(32)}` : apiKey),
    retryInMs: (failure) => (failure.code === 'provider_auth' && failure.attempt < 2 ? 15_000 : retryInMs(failure)),
  },
  // 6.keep-since, 6.store-cursor, 4.calls.exactly-once
  'replaces since with null': { poll: polling(({ page }) => page.nextCursor) },
  'leaves since out when there is no cursor': { poll: polling(({ page }) => page.nextCursor ?? '') },
  'polls from the current time': { poll: polling(({ now }) => now) },
  'never moves since': { poll: polling(({ since }) => since) },
  'polls from the end of the last call': { poll: polling(({ since, page }) => endOf(page.calls) ?? since) },
  'cuts the cursor to milliseconds': {
    poll: polling(({ since, page }) => (page.nextCursor ? new Date(page.nextCursor).toISOString() : since)),
  },
  'adds a second to the cursor': {
    poll: polling(({ since, page }) =>
      page.nextCursor ? new Date(Date.parse(page.nextCursor) + 1_000).toISOString() : since,
    ),
  },
  'drops calls that end at the same time': {
    deliver: (records, before) => {
      const seen = new Set(before.map(({ endedAt }) => endedAt));
      return records.filter(({ endedAt }) => endedAt === undefined || (!seen.has(endedAt) && seen.add(endedAt)));
    },
  },
  'drops calls that end before the last one': {
    deliver: (records, before) => {
      const last = endOf(before.filter(({ endedAt }) => endedAt)) ?? '';
      return records.filter(({ endedAt }) => endedAt === undefined || endedAt >= last);
    },
  },
  'drops calls whose id it knows, which has another name': {
    poll: polling(
      ({ since, page }) => page.nextCursor ?? since,
      (call, before) => (before.size === before.add(call.id).size ? [] : [call]),
    ),
  },
  'handles the first call of a page': {
    deliver: (records) => (records[0]?.endedAt === undefined ? [...records] : records.slice(0, 1)),
  },
  'starts at the current time after an error': {
    poll: async (connection, api, parts) => {
      while (!connection.signal.aborted) await poll(connection, api, parts).catch(() => sleep(5_000));
    },
    retryInMs: (failure) => (failure.status === 503 ? null : retryInMs(failure)),
  },
  'polls on a timer, also while a poll is running': { poll: pollOnTimer },
  'polls every ten seconds': { pollMs: 10_000 },
  'waits a minute after a full page': {
    poll: async (connection, api, parts) =>
      poll(
        connection,
        async (...request) => {
          const body = await api(...request);
          if (body.data.calls.length >= parts.limits.calls) await sleep(parts.pollMs);
          return body;
        },
        parts,
      ),
  },
  // Formats
  'fails on unknown fields': { parse: async (response) => strict(await response.json()) },
  'reads fields by position': {
    parse: async (response) => {
      const body = await response.json();
      const [data, ...rest] = Object.values(body) as Json[];
      return { ...body, data, ...(rest.length > 0 && 'cursor' in body ? { cursor: rest[0] } : {}) };
    },
  },
  'expects one content type': {
    parse: (response) => {
      if (response.headers.get('content-type') !== 'application/json; charset=utf-8') throw new Error('not JSON');
      return response.json();
    },
  },
  'parses only Z timestamps': {
    instant: (text) => {
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) throw new Error(`unknown time ${text}`);
      return Date.parse(text);
    },
  },
  'ignores the offset of a timestamp': {
    instant: (text) => rightParts.instant(text.replace(/([+-]\d\d:?\d\d|Z)$/, 'Z')),
  },
  'reads timestamps with Date.parse': { instant: (text) => Date.parse(text) },
  'expects a value in every field': {
    articlesPage: ({ data, cursor }) => {
      for (const { targetKeyword } of data) targetKeyword.trim();
      return { items: data, cursor };
    },
  },
  'expects an aggregate': {
    reviewsPage: ({ data }) => {
      if (data.aggregate.reviewCount < 0) throw new Error('impossible');
      return { items: data.reviews, cursor: data.nextCursor ?? null };
    },
  },
  // Pages
  'takes an absent cursor for a page': {
    reviewsPage: ({ data }) => ({
      items: data.reviews,
      cursor: data.nextCursor === null ? null : `${data.nextCursor}`,
    }),
  },
  'stops at an empty page': { goesOn: ({ items, cursor }) => items.length > 0 && cursor !== null },
  'stops at a short page': { goesOn: ({ items, cursor }, limit) => items.length >= limit && cursor !== null },
  'reads one page': { goesOn: () => false },
  'fails on an empty page': {
    goesOn: ({ items, cursor }) => {
      if (items.length === 0) throw new Error('no items');
      return cursor !== null;
    },
  },
  'builds URLs without encoding': { parameter: (mark, name, value) => `${mark}${name}=${value}` },
  'builds paths without encoding': { segment: (id) => id },
  'merges articles of the same time': {
    deliver: (records) => [
      ...new Map(records.map((record) => [record.siteId ? record.createdAt : record, record])).values(),
    ],
  },
  'computes the cursor again': {
    articlesPage: ({ data, cursor }) => ({
      items: data,
      cursor: cursor === null ? null : new Date(rightParts.instant(cursor) - 1_000).toISOString(),
    }),
  },
  // 2.get-insights-output.metrics.total, 2.review-item.rating, 8.reply-text
  'cuts totals to integers': { total: Math.trunc },
  'takes a null rating for 0': {
    average: (ratings) => ratings.reduce<number>((sum, rating) => sum + (rating ?? 0), 0) / ratings.length,
  },
  'quotes a whole review in its reply': { replyTo: ({ text }) => `You wrote: ${text}` },
  // 8.address-window
  'sends everything at once': {
    each: async (items, work) => {
      await Promise.all(items.map(work));
    },
  },
};

function capped(failure: Parameters<Parts['retryInMs']>[0], mostMs: number): number | null {
  const ms = retryInMs(failure);
  return ms === null ? null : Math.min(ms, mostMs);
}

function nowUpTo({ attempt }: { attempt: number }): number | null {
  return attempt < attemptsMax ? 0 : null;
}

function withRetryAfter(failure: Parameters<Parts['retryInMs']>[0], read: (text: string) => number): number | null {
  const text = failure.headers.get('retry-after');
  return failure.status === 429 && text !== null && failure.attempt < attemptsMax ? read(text) : retryInMs(failure);
}

const knownFields = new Set(
  (
    'data cursor summary id siteId title slug status targetKeyword wordCount seoScore publishedAt createdAt updatedAt ' +
    'name domain cms language keyword searchVolume difficulty intent'
  ).split(' '),
);

/** Articles, sites and keywords, of which the contract lists the fields without closing the objects. */
function strict(body: Json): Json {
  const records = Array.isArray(body.data)
    ? body.data
    : 'accountId' in body.data || !body.data.siteId
      ? []
      : [body.data];
  const unknown = records.flatMap(Object.keys).find((name: string) => !knownFields.has(name));
  if (unknown) throw new Error(`unknown field ${unknown}`);
  return body;
}

async function pollOnTimer(...[{ signal, saw }, api, { limits, pollMs, parameter }]: Parameters<Parts['poll']>) {
  let since = new Date().toISOString();
  const errors: unknown[] = [];
  const timer = setInterval(async () => {
    try {
      const query = parameter('?', 'since', since) + parameter('&', 'limit', String(limits.calls));
      const { data } = await api('GET', `/connect/calls/log${query}`);
      saw(...data.calls.map(({ id }: Json) => ({ call: id })));
      if (typeof data.nextCursor === 'string') since = data.nextCursor;
    } catch (error) {
      errors.push(error);
    }
  }, pollMs);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  clearInterval(timer);
  if (errors.length > 0) throw errors[0];
}
