import { describe, expect, it } from 'vitest';
import type { Shape } from '../../contract/shape.ts';
import { createMock } from '../../testing/create-mock.ts';

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
