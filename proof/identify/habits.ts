// Deployments whose habits depend on operation, page, account and state, and the details in which a calibrated mock
// differs from them. The details are read by code that shares nothing with the observers of calibrate.
import { startIndependentTarget, type Target } from '../../fixtures/test-kit/targets.ts';
import type { Profile } from '../../src/contract/profile.ts';
import type { PlainReply, PlainRequest, PlainServer, Variant } from '../independent/index.ts';
import { type Body, type Observer, type Seen, visitBoth } from './visit.ts';

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
      const others = Object.entries(reply.headers).filter(([name]) => !/^content-length$/i.test(name));
      return { ...reply, headers: { ...Object.fromEntries(others), 'Content-Length': String(bytes.length) }, bytes };
    };
}

export function startDeployment(deployment: Deployment): Promise<Target> {
  return startIndependentTarget({ variant: deployment.variant, around: around(deployment) });
}

/** The details of a deployment, in words. */
function observeDetails(): Observer<Map<string, Set<string>>> {
  const facts = new Map<string, Set<string>>();
  const add = (detail: string, value: string) => facts.set(detail, (facts.get(detail) ?? new Set()).add(value));
  const times = (operation: string, record: Body) => {
    const forms = Object.entries(record).flatMap(([name, value]) =>
      /At$|Date$|^date$/.test(name) && typeof value === 'string'
        ? [[name, value.replace(/\d+/g, (digits) => '9'.repeat(digits.length))] as const]
        : [],
    );
    for (const [name, form] of forms) add(`${operation} ${name}`, form);
    const isOne = new Set(forms.map(([, form]) => form)).size === 1;
    if (forms.length > 1) add(`${operation}: forms in a record`, isOne ? 'one' : 'several');
  };
  const see = ({ operation, body, query, hasReply }: Seen) => {
    const { data } = body;
    const how = query.has('since') ? `${operation}, poll` : operation;
    if ('summary' in body) add(`summary of ${how}`, body.summary === '' ? 'empty' : 'text');
    for (const call of data.calls ?? [])
      for (const [name, value] of fieldsIn(call)) add(`${how} ${name}`, value === null ? 'null' : 'a value');
    if (data.calls) return;
    const points = data.metrics?.flatMap((metric: Body) => metric.points) ?? [];
    const records = [data.reviews ?? data.accounts ?? (data.range ? [data.range, ...points] : data)].flat();
    for (const record of records) times(operation, record);
    if (data.reviews === undefined) return;
    const isEnd = typeof data.nextCursor !== 'string';
    const place = query.has('cursor') ? (isEnd ? 'last' : 'later') : isEnd ? 'only' : 'first';
    if (data.reviews.length > 0) add(`aggregate on the ${place} page`, String(data.aggregate !== undefined));
    if (isEnd) add(`end of the ${place} page ${hasReply ? 'after' : 'before'} a reply`, String(data.nextCursor));
  };
  return { see, facts };
}

function fieldsIn(record: Body, path = ''): [string, unknown][] {
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] =>
    value !== null && typeof value === 'object' ? fieldsIn(value, `${path}${name}.`) : [[`${path}${name}`, value]],
  );
}

export interface Habits {
  /** Those that both show. */
  readonly details: number;
  readonly differing: readonly string[];
}

/** A detail that only one of them shows depends on the data. */
export async function habitsOf(deployment: Deployment, profile: Profile): Promise<Habits> {
  const options = { variant: deployment.variant, around: around(deployment) };
  const [theirs, ours] = await visitBoth(options, profile, observeDetails);
  const shared = [...theirs].filter(([detail]) => ours.has(detail));
  const spelled = (values: ReadonlySet<string> = new Set()) => [...values].sort().join(' | ');
  const differing = shared.flatMap(([detail, values]) => {
    const [their, own] = [spelled(values), spelled(ours.get(detail))];
    return their === own ? [] : [`${detail}: ${their}, mock ${own}`];
  });
  return { details: shared.length, differing };
}
