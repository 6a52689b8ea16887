// Deployments whose habits depend on operation, page, account and state, and the details in which a calibrated mock
// differs from them. The details are read by code that shares nothing with the observers of calibrate.
import { startIndependentTarget, type Target } from '../../fixtures/test-kit/targets.ts';
import type { Profile } from '../../src/contract/profile.ts';
import { createMock } from '../../src/index.ts';
import {
  type PlainReply,
  type PlainRequest,
  type PlainServer,
  startIndependent,
  type Variant,
} from '../independent/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: any response of a deployment
type Body = any;

/** One success on its way out. */
interface Success {
  readonly body: Body;
  /** The last word of the path says what it lists. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly method: string;
  /** The accounts that got a reply. */
  readonly replied: ReadonlySet<string>;
}

interface Deployment {
  readonly variant: Partial<Variant>;
  change(success: Success): void;
}

const asOffset = (text: string) => `${new Date(Date.parse(text) + 7_200_000).toISOString().slice(0, 19)}+02:00`;
const asBasic = (text: string) => new Date(text).toISOString().replaceAll(/[-:]|\.\d+/g, '');
const asMillis = (text: string) => new Date(text).toISOString();
type Spell = (text: string) => string;

/** Spells the timestamps of records; a cursor is that of the last record. */
function spell({ body }: Success, write: (record: Body, name: string) => Spell): void {
  for (const record of [body.data].flat())
    for (const name of ['createdAt', 'updatedAt', 'publishedAt'])
      if (typeof record[name] === 'string') record[name] = write(record, name)(record[name]);
  if (typeof body.cursor === 'string') body.cursor = body.data.at(-1).createdAt;
}

const kindOf = ({ path }: Success) =>
  path.at(-1) === 'log' ? 'calls' : (path.at(-1) ?? '').replace(/^[0-9a-f-]{36}$/i, 'one');
const isOver = (call: Body) => call.endedAt !== null && call.endedAt !== undefined;
const isEnd = ({ body }: Success) => typeof body.data.nextCursor !== 'string';
const endWith = ({ body }: Success, end: 'null' | 'absent') => {
  delete body.data.nextCursor;
  if (end === 'null') body.data.nextCursor = null;
};

const base: Partial<Variant> = { timeFormat: 'seconds', articleOrder: 'newest', reviewPage: 5, nullables: 'some' };

export const deployments: Readonly<Record<string, Deployment>> = {
  'by operation': {
    variant: { ...base, reviewEnd: 'null' },
    change: (success) => {
      const { body, query } = success;
      const kind = kindOf(success);
      if (kind === 'accounts') body.summary = '';
      if (kind === 'articles' || kind === 'one') spell(success, () => asOffset);
      if (kind === 'sites' || kind === 'keywords') spell(success, () => asMillis);
      if (kind === 'reviews') {
        if (query.has('cursor')) delete body.data.aggregate;
        if (isEnd(success)) endWith(success, query.has('cursor') ? 'null' : 'absent');
      }
    },
  },
  'by account': {
    variant: { ...base, reviewEnd: 'absent', callShape: 'camel' },
    change: (success) => {
      const { body, replied, path } = success;
      const kind = kindOf(success);
      if (kind === 'insights') body.summary = '';
      // One form for each record.
      if (['articles', 'one', 'keywords'].includes(kind))
        spell(success, ({ id }) => ('01234567'.includes(id[0]) ? asOffset : asBasic));
      if (kind === 'reviews') {
        if (body.data.reviews.length < 5 && !success.query.has('cursor')) delete body.data.aggregate;
        if (isEnd(success)) endWith(success, replied.has(path.at(-2) ?? '') ? 'null' : 'absent');
      }
      // Known once the call is over.
      if (kind === 'calls')
        for (const call of body.data.calls) Object.assign(call, { outcome: isOver(call) ? 'done' : null, agent: null });
    },
  },
  'by field': {
    variant: { ...base, articleOrder: 'oldest', reviewEnd: 'null', callShape: 'camel' },
    change: (success) => {
      const { body, query } = success;
      const kind = kindOf(success);
      if (['links', 'reviews'].includes(kind) || query.has('range')) body.summary = '';
      if (['articles', 'one'].includes(kind))
        spell(success, (_record, name) =>
          name === 'createdAt' ? asMillis : name === 'updatedAt' ? asOffset : asBasic,
        );
      if (kind === 'keywords') spell(success, () => asBasic);
      if (kind === 'reviews' && !isEnd(success)) delete body.data.aggregate;
      if (kind === 'insights')
        for (const name of ['startDate', 'endDate'])
          body.data.range[name] = `${body.data.range[name].slice(0, 10)}T00:00:00Z`;
      if (kind === 'calls')
        for (const call of body.data.calls) {
          const number = Number.parseInt(call.startedAt?.slice(17, 19) ?? '0', 10);
          Object.assign(call, {
            recording: number % 2 ? null : 'https://recordings.example/1',
            timing: { ring: 3, talk: isOver(call) ? 5 : null },
          });
        }
    },
  },
  'by detail': {
    variant: { ...base, reviewEnd: 'null', aggregate: 'by-platform' },
    change: (success) => {
      const { body, query } = success;
      const kind = kindOf(success);
      if (kind !== 'reviews' && 'summary' in body) body.summary = '';
      if (kind === 'one') spell(success, () => asOffset);
      if (kind === 'articles' || kind === 'sites') spell(success, () => asMillis);
      if (kind === 'reviews' && isEnd(success)) endWith(success, query.has('cursor') ? 'absent' : 'null');
    },
  },
};

/** Stands around the second implementation. */
function around({ change }: Deployment) {
  const replied = new Set<string>();
  return (server: PlainServer) =>
    (request: PlainRequest): PlainReply => {
      const reply = server.reply(request);
      const { pathname, searchParams: query } = new URL(request.url, 'http://x');
      if (reply.status !== 200) return reply;
      const path = pathname.split('/');
      if (request.method === 'POST' && path.at(-1) === 'reply') replied.add(path.at(-4) ?? '');
      const body = JSON.parse(Buffer.from(reply.bytes).toString());
      change({ body, path, query, method: request.method, replied });
      const bytes = Buffer.from(JSON.stringify(body));
      const headers = Object.fromEntries(
        Object.entries(reply.headers).map(([name, value]) => [
          name,
          /^content-length$/i.test(name) ? String(bytes.length) : value,
        ]),
      );
      return { ...reply, headers, bytes };
    };
}

export function startDeployment(deployment: Deployment): Promise<Target> {
  return startIndependentTarget({ variant: deployment.variant, around: around(deployment) });
}

type Ask = (path: string, body?: object) => Promise<Body>;

/** The details of a deployment, in words, as a client of every operation sees them. */
async function detailsOf(ask: Ask): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, Set<string>>();
  const add = (detail: string, value: string) => seen.set(detail, (seen.get(detail) ?? new Set()).add(value));
  const read = async (operation: string, path: string, body?: object) => {
    const shown = await ask(path, body);
    if (shown !== null && 'summary' in shown) add(`summary of ${operation}`, shown.summary === '' ? 'empty' : 'text');
    return shown;
  };
  const times = (operation: string, record: Body) => {
    const found = Object.entries(record).filter(
      ([name, value]) => /At$|Date$|^date$/.test(name) && typeof value === 'string',
    );
    const forms = found.map(([name, value]) => [
      name,
      String(value).replace(/\d+/g, (digits) => '9'.repeat(digits.length)),
    ]);
    for (const [name, form] of forms) add(`${operation} ${name}`, form ?? '');
    if (forms.length > 1)
      add(`${operation}: forms in a record`, new Set(forms.map(([, form]) => form)).size === 1 ? 'one' : 'several');
  };
  await readLists(read, times);
  await readConnect(read, times, add);
  for (const [operation, query] of [
    ['snapshot', ''],
    ['poll', '?since=2020-01-01T00:00:00Z&limit=200'],
  ] as const)
    for (const call of (await read(`calls ${operation}`, `/connect/calls/log${query}`)).data.calls)
      for (const [name, value] of fieldsIn(call)) add(`${operation} ${name}`, value === null ? 'null' : 'a value');
  return new Map([...seen].map(([detail, values]) => [detail, [...values].sort().join(' | ')]));
}

function fieldsIn(record: Body, path = ''): [string, unknown][] {
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] =>
    value !== null && typeof value === 'object' ? fieldsIn(value, `${path}${name}.`) : [[`${path}${name}`, value]],
  );
}

type Read = (operation: string, path: string, body?: object) => Promise<Body>;
type Times = (operation: string, record: Body) => void;

async function readLists(read: Read, times: Times): Promise<void> {
  const articles = await read('listArticles', '/articles?limit=100');
  for (const article of articles.data) times('listArticles', article);
  for (const { id } of articles.data.slice(0, 20))
    times('getArticle', (await read('getArticle', `/articles/${id}`)).data);
  for (const site of (await read('listSites', '/sites')).data) {
    times('listSites', site);
    times('getSite', (await read('getSite', `/sites/${site.id}`)).data);
    for (const keyword of (await read('listKeywords', `/keywords?siteId=${site.id}`)).data)
      times('listKeywords', keyword);
  }
}

async function readConnect(read: Read, times: Times, add: (detail: string, value: string) => unknown): Promise<void> {
  const pages = async (account: string, when: string) => {
    const path = `/connect/accounts/${account}/reviews`;
    let reviews: Body[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Body = await read(
        'listReviews',
        cursor === '' ? path : `${path}?cursor=${encodeURIComponent(cursor)}`,
      );
      if (page === null) return reviews;
      const { aggregate, nextCursor, reviews: own } = page.data;
      const isEnd = typeof nextCursor !== 'string';
      const place = cursor === '' ? (isEnd ? 'only' : 'first') : isEnd ? 'last' : 'later';
      if (own.length > 0) add(`aggregate on the ${place} page`, String(aggregate !== undefined));
      if (isEnd) add(`end of the ${place} page ${when}`, String(nextCursor));
      for (const review of own) times('listReviews', review);
      reviews = [...reviews, ...own];
      cursor = isEnd ? null : nextCursor;
    }
    return reviews;
  };
  const { data } = await read('listAccounts', '/connect/accounts');
  for (const account of data.accounts) {
    times('listAccounts', account);
    if (account.status !== 'connected' || account.locked) continue;
    const path = `/connect/accounts/${account.accountId}`;
    const [review] = await pages(account.accountId, 'before a reply');
    const reply =
      review && (await read('reply', `${path}/reviews/${encodeURIComponent(review.reviewId)}/reply`, { text: 'Hi' }));
    if (reply) times('reply', reply.data);
    if (reply) await pages(account.accountId, 'after a reply');
    await read('createPost', `${path}/posts`, { text: 'Hi' });
    const insights = await read('getInsights', `${path}/insights`);
    if (insights !== null) times('getInsights range', insights.data.range);
    for (const { points } of insights?.data.metrics ?? [])
      for (const point of points) times('getInsights points', point);
  }
  const link = await read('createConnectLink', '/connect/accounts', { provider: 'tiktok', label: 'L' });
  times('createConnectLink', link.data);
}

export interface Habits {
  /** Those that both show. */
  readonly details: number;
  readonly differing: readonly string[];
}

/** A detail that only one of them shows depends on the data. */
export async function habitsOf(deployment: Deployment, profile: Profile): Promise<Habits> {
  const original = await startIndependent({
    ...{ variant: deployment.variant, around: around(deployment) },
    ...{ limits: false, now: () => Date.UTC(2026, 2, 10, 9) },
  });
  const casa = await createMock({ profile, limits: false });
  const asking =
    (send: (path: string, init: RequestInit) => Promise<Response>, key: string): Ask =>
    async (path, body) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await send(path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
      return response.status === 200 ? response.json() : null;
    };
  try {
    const theirs = await detailsOf(
      asking((path, init) => fetch(`${original.baseUrl}${path}`, init), original.keys.good),
    );
    const ours = await detailsOf(asking((path, init) => casa.fetch(path, init), casa.keys.good));
    const shared = [...theirs].filter(([detail]) => ours.has(detail));
    const differing = shared.filter(([detail, value]) => ours.get(detail) !== value);
    return {
      details: shared.length,
      differing: differing.map(([detail, value]) => `${detail}: ${value}, mock ${ours.get(detail)}`),
    };
  } finally {
    await original.close();
  }
}
