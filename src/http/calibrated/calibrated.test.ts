import { describe, expect, it } from 'vitest';
import type { Behaviors } from '../../contract/generated/behaviors.ts';
import type { Shape } from '../../contract/shape.ts';
import type { Casa } from '../../testing/casa.ts';
import { createMock } from '../../testing/create-mock.ts';

async function ask(behavior: Partial<Behaviors>, path: string, headers: Record<string, string> = {}) {
  const casa = await createMock({ behavior });
  const response = await casa.fetch(path, { headers: { authorization: `Bearer ${casa.keys.good}`, ...headers } });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

/** The records of all pages; each cursor is sent back unchanged. */
async function walk(casa: Casa, path: string, seen: (page: Page) => readonly Row[] = ({ data }) => data as Row[]) {
  const headers = { authorization: `Bearer ${casa.keys.good}` };
  const rows: Row[] = [];
  for (let target: string | null = path; target !== null; ) {
    const page = (await (await casa.fetch(target, { headers })).json()) as Page;
    rows.push(...seen(page));
    const cursor = page.cursor ?? (page.data as { nextCursor?: string }).nextCursor ?? null;
    const name = path.includes('since=') ? 'since' : 'cursor';
    target = cursor && `${path.replace(/&since=.*/, '')}&${name}=${encodeURIComponent(cursor)}`;
    expect(rows.length).toBeLessThan(1000);
  }
  return rows;
}

type Row = Readonly<Record<'id' | 'title' | 'createdAt', string>>;
type Page = { readonly data: unknown; readonly cursor?: string | null };

describe('a calibrated mock', () => {
  it('writes timestamps in the learnt form, and takes them back as cursors', async () => {
    const casa = await createMock({ behavior: { timestampForm: 'YYYYMMDDThhmmss+0530' } });
    const seen = await walk(casa, '/articles?limit=7');
    for (const { createdAt } of seen) expect(createdAt).toMatch(/^\d{8}T\d{6}\+0530$/);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen).toHaveLength((await walk(casa, '/articles?limit=100')).length);
  });

  it.each([
    ['plain', {}],
    ['with a writer', { callSummary: 'absent' }],
    ['with an offset', { timestampForm: 'YYYY-MM-DDThh:mm:ss.fff+05:30' }],
    ['with trimmed zeros, oldest first', { timestampForm: 'YYYY-MM-DDThh:mm:ss[.fff]Z', articleOrder: 'oldest' }],
    ['in mixed forms', { timestampForm: 'YYYY-MM-DDThh:mm:ss.fffZ | YYYY-MM-DDThh:mm:ss.ffffff+00:00' }],
  ] as const)('loses no article of a world whose timestamps differ by microseconds: %s', async (_how, behavior) => {
    const articles = [1, 2, 3, 4].map((n) => ({ createdAt: `2026-01-01T00:00:00.12300${n}Z`, title: `${n}` }));
    const seen = await walk(await createMock({ behavior, world: { articles } }), '/articles?limit=1');
    expect(seen.map(({ title }) => title).sort()).toEqual(['1', '2', '3', '4']);
  });

  it('walks oldest first in whole minutes without repeating an article', async () => {
    const behavior = { articleOrder: 'oldest', timestampForm: 'YYYY-MM-DDThh:mmZ' } as const;
    const path = '/articles?limit=100';
    const { data } = (await ask(behavior, path)).json;
    const second = await ask(behavior, `${path}&cursor=${encodeURIComponent(data[4].createdAt)}`);
    expect(second.json.data[0]).toEqual(data[5]);
  });

  it('shows calls in the learnt shape, the same whenever they are read', async () => {
    const time = { type: 'integer', form: 'epoch milliseconds' } as const;
    const timing = { type: 'object', fields: { began: time, over: { ...time, nullable: true } } } as const;
    const outcome = { type: 'string', values: ['answered', 'busy'] } as const;
    const callRecord = { type: 'object', fields: { ref: { type: 'integer' }, timing, outcome } } as const;
    const read = async () => (await ask({ callRecord }, '/connect/calls/log')).json.data.calls;
    const calls = (await read()) as { ref: number; timing: { began: number }; outcome: string }[];
    expect(calls).toEqual(await read());
    expect(new Set(calls.map(({ ref }) => ref)).size).toBe(calls.length);
    const starts = calls.map(({ timing }) => timing.began);
    expect(starts).toEqual([...starts].sort((a, b) => b - a));
    for (const { outcome } of calls) expect(['answered', 'busy']).toContain(outcome);
  });

  it.each(['text', 'opaque', 'uuid', 'digits', 'hex', 'call_+opaque', 'opaque, to be encoded'])(
    'gives each call its own id in the form %s',
    async (form) => {
      const callRecord = { type: 'object', fields: { id: { type: 'string', form } } } as const;
      const { json } = await ask({ callRecord }, '/connect/calls/log?limit=200&since=2020-01-01T00:00:00Z');
      const shown = json.data.calls.map(({ id }: { id: string }) => id);
      expect(shown.length).toBeGreaterThan(100);
      expect(new Set(shown).size).toBe(shown.length);
    },
  );

  it('puts issues where the deployment has them, by the names that it uses', async () => {
    const entry = { type: 'object', fields: { field: { type: 'string' }, problem: { type: 'string' } } } as const;
    const issues = { type: 'object', fields: { 'error.details.issues': { type: 'array', items: entry } } } as const;
    const { json } = await ask({ issues }, '/connect/calls/log?limit=0');
    expect(json.error.details.issues).toEqual([{ field: 'limit', problem: expect.any(String) }]);
    expect(json.error.issues).toBeUndefined();
  });

  const list = { type: 'array' } as const;
  const text = { type: 'string' } as const;
  const ofInputs = { type: 'object', fields: { any: list } } as const;
  it.each([
    ['flat', { any: text }, { limit: expect.any(String) }],
    ['lists', { any: list }, { limit: [expect.any(String)] }],
    [
      'flattened',
      { fieldErrors: ofInputs, formErrors: list },
      { fieldErrors: { limit: [expect.any(String)] }, formErrors: [] },
    ],
    [
      'formatted',
      { _errors: list, any: { type: 'object', fields: { _errors: list } } },
      { _errors: [], limit: { _errors: [expect.any(String)] } },
    ],
  ] as const)('writes a %s map of issues', async (_name, fields, written) => {
    const issues = { type: 'object', fields: { 'error.issues': { type: 'object', fields } } } as const;
    expect((await ask({ issues }, '/connect/calls/log?limit=0')).json.error.issues).toEqual(written);
  });

  it.each([
    ['provider_permission', 403],
    ['payment_required', 402],
    ['served', 200],
  ] as const)('responses %s for reads of an expired account', async (expiredCode, status) => {
    const { accounts } = (await ask({ expiredCode }, '/connect/accounts')).json.data;
    const { accountId } = accounts.find((each: Record<string, string>) => each.status === 'expired');
    expect([status, 400]).toContain((await ask({ expiredCode }, `/connect/accounts/${accountId}/insights`)).status);
  });

  it('keeps every call of a log whose cursors have no digits below the second', async () => {
    const casa = await createMock({ behavior: { callCursor: 'YYYY-MM-DDThh:mm:ssZ' } });
    const calls = await walk(casa, '/connect/calls/log?limit=3&since=2020-01-01T00:00:00Z', ({ data }) => {
      const page = data as { calls: Row[]; nextCursor: string | null };
      if (page.nextCursor !== null) expect(page.nextCursor).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
      return page.calls;
    });
    const seen = calls.map(({ id }) => id);
    const whole = (await ask({}, '/connect/calls/log?limit=200&since=2020-01-01T00:00:00Z')).json;
    expect(seen.slice(0, 200)).toEqual(whole.data.calls.map(({ id }: { id: string }) => id));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('responds in the media type of a deployment', async () => {
    const { headers } = await ask({ contentType: 'application/vnd.acme+json' }, '/sites');
    expect(headers.get('content-type')).toBe('application/vnd.acme+json');
  });

  it.each([
    ['Bearer realm, error', 'Bearer realm="casa", error="invalid_token"'],
    ['Bearer', 'Bearer'],
  ])('challenges in the form %s', async (challengeForm, header) => {
    const { headers } = await ask({ challengeForm, contentType: 'application/json' }, '/sites', { authorization: '' });
    expect(headers.get('www-authenticate')).toBe(header);
  });

  it('rejects other methods, malformed ids and limits like the deployment', async () => {
    const statusOf = async (behavior: Partial<Behaviors>, method: string, path: string) => {
      const casa = await createMock({ behavior });
      return (await casa.fetch(path, { method, headers: { authorization: `Bearer ${casa.keys.good}` } })).status;
    };
    expect(await statusOf({ otherMethod: 'not_found' }, 'DELETE', '/sites')).toBe(404);
    expect(await statusOf({}, 'DELETE', '/sites')).toBe(405);
    const split: Partial<Behaviors> = { malformedId: 'not_found', malformedArticleId: 'invalid_input' };
    expect([await statusOf(split, 'GET', '/articles/x'), await statusOf(split, 'GET', '/sites/x')]).toEqual([400, 404]);
    expect(await statusOf({ malformedId: 'invalid_input' }, 'GET', '/articles/x')).toBe(400);
    for (const limit of ['1e1', '5x', '%205'])
      expect(await statusOf({ articleLimitText: 'ignore' }, 'GET', `/articles?limit=${limit}`)).toBe(200);
  });

  it('rejects an option that no deployment may have', async () => {
    const profile = { casaProfile: 1, behaviors: { articleOrder: { value: 'sideways', seen: 1 } } };
    await expect(createMock({ profile: profile as never })).rejects.toThrow(
      'profile cannot be used: the behavior articleOrder is not one of newest, oldest.',
    );
  });
});

describe('an input', () => {
  const basisOf = async (behavior: Partial<Behaviors>, path: string) => {
    const { status, headers } = await ask(behavior, path);
    return [status, headers.get('x-casa-basis')];
  };

  it.each([
    ['/articles?limit=', 'articleLimitEmpty=assumed as articleLimitText'],
    ['/articles?limit=1.5', 'articleLimitFraction=assumed as articleLimitText'],
    ['/connect/calls/log?since=', 'emptySince=assumed as badSince'],
  ])('that a profile lacks is treated like the nearest one, and the response is marked: %s', async (path, basis) => {
    expect(await basisOf({ articleLimitText: 'ignore', badSince: 'ignore' }, path)).toEqual([200, basis]);
  });

  it.each([
    ['abc', 200],
    ['', 400],
    ['5', 200],
    ['0', 400],
  ])('is not marked if it is known, usual or without a known neighbor: %j', async (limit, status) => {
    const behavior = { articleLimitText: 'ignore', articleLimitEmpty: 'reject' } as const;
    expect(await basisOf(behavior, `/articles?limit=${limit}`)).toEqual([status, null]);
  });

  it.each([
    [{ articleLimitFraction: 'truncate' }, '/articles?limit=2.5', 2],
    [{ articleLimitEmpty: 'clamp' }, '/articles?limit=', 1],
    [{ articleLimitNegative: 'ignore', articleLimitBelow: 'clamp' }, '/articles?limit=-5', 20],
    [{ emptyArticleSite: 'ignore' }, '/articles?siteId=&limit=3', 3],
    [{ emptyArticleCursor: 'ignore' }, '/articles?cursor=&limit=3', 3],
  ] as const)('follows %j at %s', async (behavior, path, rows) => {
    expect((await ask(behavior, path)).json.data).toHaveLength(rows);
  });

  it('with a since in the future is rejected where the behavior says so', async () => {
    const path = '/connect/calls/log?since=2096-01-01T00:00:00Z';
    expect((await ask({ futureSince: 'reject' }, path)).status).toBe(400);
    expect((await ask({}, path)).json.data).toEqual({ calls: [], nextCursor: null });
  });
});

const form = (of: string): Shape => ({ type: 'string', form: of });
const text = form('text');
const object = (fields: Record<string, Shape>): Shape => ({ type: 'object', fields });

async function start(fields: Record<string, Shape>, more: object = {}) {
  const casa = await createMock({ behavior: { records: object(fields), ...more } });
  return async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${casa.keys.good}`, 'content-type': 'application/json' };
    const response = await casa.fetch(path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
    return response.json();
  };
}

describe('records in the proportions of a deployment', () => {
  it('shows nulls where the deployment has them, by the state of the record', async () => {
    const ask = await start({
      article: object({
        seoScore: { type: 'null' },
        targetKeyword: { ...text, nullable: true, nulls: 0.5 },
        publishedAt: { type: 'string', form: 'YYYY-MM-DDThh:mm:ssZ', nulls: { published: 0, draft: 1, planned: 0 } },
      }),
    });
    const articles = (await ask('/articles?limit=100')).data as Record<string, string | null>[];
    expect(articles.every(({ seoScore }) => seoScore === null)).toBe(true);
    const withKeyword = articles.filter(({ targetKeyword }) => targetKeyword !== null);
    expect(withKeyword.length).toBeGreaterThan(articles.length / 5);
    expect(withKeyword.length).toBeLessThan((articles.length * 4) / 5);
    for (const { status, publishedAt } of articles) {
      if (status === 'draft') expect(publishedAt).toBeNull();
      if (status === 'published' || status === 'planned') expect(publishedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
    }
    const first = articles[0] as { id: string };
    expect((await ask(`/articles/${first.id}`)).data).toEqual(first);
  });

  it('gives each timestamp the form of that field, also in records that a client creates', async () => {
    const ask = await start(
      { account: object({ connectedAt: form('YYYY-MM-DD') }), invite: object({ expiresAt: form('epoch seconds') }) },
      { plainTimestampForm: 'YYYY-MM-DD | epoch seconds' },
    );
    const link = (await ask('/connect/accounts', { provider: 'tiktok', label: 'New' })).data;
    expect(link.expiresAt).toMatch(/^\d{10}$/);
    const { accounts, pendingInvites } = (await ask('/connect/accounts')).data;
    for (const { connectedAt } of accounts) if (connectedAt !== null) expect(connectedAt).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const { expiresAt } of pendingInvites) expect(expiresAt).toMatch(/^\d{10}$/);
    expect(pendingInvites).toContainEqual(expect.objectContaining({ label: 'New' }));
  });

  it('writes each kind of id in the case of that kind', async () => {
    const article = object({ id: form('UUID'), siteId: form('uuid') });
    const ask = await start({ article, account: object({ accountId: form('uuid') }) }, { idCase: 'mixed' });
    const [shown] = (await ask('/articles?limit=1')).data;
    expect([shown.id, shown.siteId]).toEqual([shown.id.toUpperCase(), shown.siteId.toLowerCase()]);
    expect((await ask(`/articles/${shown.id}`)).data.id).toBe(shown.id);
    const { accounts, pendingInvites } = (await ask('/connect/accounts')).data;
    for (const { accountId } of accounts) expect(accountId).toBe(accountId.toLowerCase());
    // No id of an invite is one of the ids that `idCase` describes.
    for (const { id } of pendingInvites) expect(id).toBe(id.toLowerCase());
    expect((await ask('/sites')).data[0].id).toMatch(/^[0-9A-F-]{36}$/);
  });

  it('writes empty summaries, and the aggregate of the providers that have one', async () => {
    const aggregate: Shape = { type: 'object', absent: { google_business: 0, facebook_page: 1 } };
    const ask = await start({
      envelope: object({ summary: { type: 'string', form: 'empty', blanks: 1 } }),
      reviewPage: object({ aggregate }),
    });
    const { data, summary } = await ask('/connect/accounts');
    expect(summary).toBe('');
    const shown: Record<string, boolean[]> = {};
    for (const { accountId, provider, status, locked } of data.accounts) {
      const page = status === 'connected' && !locked ? await ask(`/connect/accounts/${accountId}/reviews`) : {};
      if (page.data?.reviews.length > 0) shown[provider] = [...(shown[provider] ?? []), 'aggregate' in page.data];
    }
    expect(new Set(shown.google_business)).toEqual(new Set([true]));
    expect(new Set(shown.facebook_page)).toEqual(new Set([false]));
  });
});
