import { describe, expect, it } from 'vitest';
import { createClient } from '../api/index.ts';
import type { Profile } from '../contract/profile.ts';
import { createMock } from './create-mock.ts';
import { watchReads } from './vitest.ts';

const learnt = (value: unknown, seen: number) => ({ value, seen });
const profile = {
  casaProfile: 1,
  kit: '0.1.0',
  contract: '1.0.0',
  target: 'staging.example.com',
  learntOn: '2026-11-24',
  behaviors: { timestampForm: learnt('YYYY-MM-DDThh:mm:ssZ', 64) },
  unknown: {},
  notLearnt: [],
} as unknown as Profile;

async function ask(path: string, headers: Record<string, string> = {}, options: object = {}) {
  const casa = await createMock(options);
  const response = await casa.fetch(path, { headers: { authorization: `Bearer ${casa.keys.good}`, ...headers } });
  return { casa, basis: response.headers.get('x-casa-basis') };
}

describe('the basis of each field', () => {
  it('is a header on request, and no header otherwise', async () => {
    const { basis } = await ask('/sites', { prefer: 'basis' }, { profile });
    expect(basis).toContain('contract: /data ');
    expect(basis).toContain('learnt timestampForm (seen 64, 2026-11-24): /data/*/createdAt');
    expect(basis).toContain('assumed R13 (records): /data/*/cms /data/*/language');
    expect((await ask('/sites?__basis=1')).basis).toContain('assumed R8 (timestampForm): /data/*/createdAt');
    expect((await ask('/sites')).basis).toBeNull();
  });

  it('is assumed for an operation or a record that the deployment did not show', async () => {
    const createdAt = (part: object) => ask('/sites', { prefer: 'basis' }, { profile: { ...profile, ...part } });
    const known = { ...profile.behaviors, records: learnt({ type: 'object', fields: {} }, 9) };
    expect((await createdAt({ responses: { listSites: 2 } })).basis).toContain('learnt timestampForm (seen 64');
    expect((await createdAt({ responses: { getSite: 2 } })).basis).toContain(
      'assumed R8 (timestampForm): /data/*/created',
    );
    expect((await createdAt({ behaviors: known })).basis).not.toContain('learnt');
  });

  it('covers the fields of an error', async () => {
    const error = { errorMessages: learnt('text', 12), issues: learnt(null, 3), extraFields: learnt(null, 9) };
    const calibrated = { profile: { ...profile, behaviors: error } };
    const invalid = await ask('/connect/calls/log?limit=0', { prefer: 'basis' }, calibrated);
    expect(invalid.basis).toContain(
      'contract: /error /error/code; learnt errorMessages (seen 12, 2026-11-24): /error/message',
    );
    expect(invalid.basis).toContain('learnt issues (seen 3, 2026-11-24): /error/issues');
    expect(invalid.basis).toContain('assumed R26 (issueTexts): /error/issues/*/*');
    expect((await ask('/sites/x', { prefer: 'basis' })).basis).not.toContain('/data');
    expect((await ask('/keywords?__basis=1')).basis).toContain('assumed R22 (simpleBadCode): /error/code');
    const blocked = await ask('/sites', { prefer: 'basis, example=rate_limit_exceeded' });
    expect(blocked.casa.requests.all()[0]?.basis['/error/message']).toBe('assumed R1 (errorMessages)');
  });

  it('is in the request log, with the clause of each field', async () => {
    const { casa } = await ask('/articles');
    expect(casa.requests.all()[0]?.basis).toMatchObject({
      '/data/*/title': 'contract 2.article.title',
      '/data/*/createdAt': 'assumed R8 (timestampForm)',
    });
  });
});

/** A mock, and a function that reads fields of a response by their paths. */
async function watched() {
  const casa = await createMock();
  const fetch = watchReads(casa, casa.fetch);
  const read = async (path: string, names: readonly string[]) => {
    const response = await fetch(`${casa.baseUrl}${path}`, { headers: { authorization: `Bearer ${casa.keys.good}` } });
    const body = await response.json();
    for (const name of names)
      name.split('.').reduce((value: Record<string, never> | undefined, key) => value?.[key], body);
  };
  return { casa, read };
}

describe('toRelyOnlyOn', () => {
  it('lists the fields of another basis that a client has read', async () => {
    const casa = await createMock({ profile });
    const api = watchReads(casa, createClient({ baseUrl: casa.baseUrl, key: casa.keys.good, fetch: casa.fetch }));
    const { data } = await api.listArticles();
    expect(data[0]?.title).toBeTypeOf('string');
    expect(data[0]?.createdAt).toBeTypeOf('string');
    expect(casa).toRelyOnlyOn('contract', 'learnt');
    expect(casa).toRelyOnlyOn('contract');
    // An error of the same operation says nothing about the fields of its success.
    await casa.fetch('/articles?limit=0', { headers: { authorization: `Bearer ${casa.keys.good}` } });
    expect(casa).toRelyOnlyOn('contract', 'learnt');
    for await (const { seoScore } of api.articles()) expect(seoScore).not.toBeUndefined();
    expect(() => expect(casa).toRelyOnlyOn('contract', 'learnt')).toThrow(
      'listArticles /data/*/seoScore: assumed R13 (records)',
    );
  });

  it.each([
    [
      'the form of ids, timestamps and cursors',
      '/articles?limit=1',
      ['data.0.id', 'data.0.createdAt', 'data.0.siteId', 'cursor'],
    ],
    ['the form of numbers', '/connect/accounts', ['data.connected.0.accountId', 'data.billing.free']],
  ])('does not count %s as relied on', async (_what, path, names) => {
    const { casa, read } = await watched();
    await read(path, names);
    expect(casa).toRelyOnlyOn('contract');
  });

  it.each([
    ['nulls', '/articles?limit=1', 'data.0.publishedAt', 'listArticles /data/*/publishedAt: assumed R13 (records)'],
    ['absence', '/connect/calls/log', 'summary', 'listCalls /summary: assumed R33 (callSummary)'],
  ])('counts %s', async (_what, path, name, message) => {
    const { casa, read } = await watched();
    await read(path, [name]);
    expect(() => expect(casa).toRelyOnlyOn('contract', 'learnt')).toThrow(message);
  });

  it('watches the JSON of a fetch, and rejects a casa without a watched client', async () => {
    const casa = await createMock();
    expect(() => expect(casa).toRelyOnlyOn('contract')).toThrow('toRelyOnlyOn needs a watched client');
    const fetch = watchReads(casa, casa.fetch);
    const headers = { authorization: `Bearer ${casa.keys.good}` };
    const { data } = await (await fetch(`${casa.baseUrl}/connect/calls/log`, { headers })).json();
    expect(data.calls[0].outcome).toBeDefined();
    expect(() => expect(casa).toRelyOnlyOn('contract')).toThrow('listCalls /data/calls/*/outcome: assumed R34');
  });
});
