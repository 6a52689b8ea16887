// A fault has the same words at every entry point, and each word has the same effect there.
import { describe, expect, it, vi } from 'vitest';
import { faultErrorNames, faultStatuses, networkFaults } from '../domain/faults.ts';
import type { Casa } from '../testing/casa.ts';
import { createMock } from '../testing/create-mock.ts';
import { settle } from './settings.ts';

const errors = [...faultStatuses.map(String), ...faultErrorNames];

async function struck(casa: Casa, query = '', prefer?: string): Promise<string | null> {
  const headers = { authorization: `Bearer ${casa.keys.good}`, ...(prefer && { prefer }) };
  // A network fault makes `fetch` fail; the request log names the fault in either case.
  const response = await casa.fetch(`/sites${query}`, { headers }).catch(() => null);
  await response?.text().catch(() => {});
  return casa.requests.all().at(-1)?.response.headers['x-casa-fault'] ?? null;
}

const post = (casa: Casa, body: object) =>
  casa.fetch('/__admin/faults', { method: 'POST', body: JSON.stringify(body) }).then((response) => response.json());

describe.each([
  ['error', errors],
  ['network', [...networkFaults].filter((kind) => kind !== 'timeout' && kind !== 'slow')],
] as const)('each %s', (kind, words) => {
  it.each(words)('%s has the same effect in the URL, the header, a flag, a handle and the admin API', async (word) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const casa = await createMock();
    const name = kind === 'error' ? 'code' : 'network';
    const spec = kind === 'error' ? `listSites=${word}` : `listSites=network:${word}`;
    const found = [await struck(casa, `?__${name}=${word}`), await struck(casa, '', `${name}=${word}`)];
    const adders = [
      () => settle({ fault: [spec] }).faults.forEach((rule) => void casa.faults.add(rule)),
      () => casa.faults.add(spec),
      () => casa.faults.add({ spec }),
      () => casa.faults.add({ [kind]: word } as object),
      () => post(casa, { spec }),
      () => post(casa, { [kind]: word }),
      ...(/^\d+$/.test(word)
        ? [() => casa.faults.add({ error: Number(word) }), () => post(casa, { error: Number(word) })]
        : []),
    ];
    for (const add of adders) {
      await add();
      found.push(await struck(casa));
      casa.faults.clear();
    }
    expect(found[0]).not.toBeNull();
    expect(new Set(found)).toEqual(new Set([found[0]]));
  });
});

describe('a word with several meanings', () => {
  it('is reported with the one that was chosen', async () => {
    const casa = await createMock();
    const both = ['"401" means unauthorized. It also fits provider_auth.'];
    expect(await post(casa, { error: 401 })).toMatchObject({ error: 'unauthorized', warnings: both });
    const warnings = ['*=503@1: @1 means every request. For one request, write @1x.'];
    expect(await post(casa, { spec: '*=503@1' })).toMatchObject({ error: 'transient', probability: 1, warnings });
    expect(await post(casa, { error: 503 })).not.toHaveProperty('warnings');
  });

  it('is reported by a handle and a flag', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const casa = await createMock();
    casa.faults.add('*=transient@1');
    const sentence = '*=transient@1: @1 means every request. For one request, write @1x.';
    expect(warn.mock.calls).toEqual([[`casa.faults.add: ${sentence}`]]);
    expect(settle({ fault: ['*=transient@1'] }).warnings).toEqual([`--fault ${sentence}`]);
  });
});

describe('a spec', () => {
  it.each([
    [{ spec: '*=503', error: 'transient' }, 'spec contains the whole rule; leave out error.'],
    [{ spec: '*=teapot' }, 'There is no error "teapot".'],
    [{ spec: '' }, 'spec must have 1 to 1000 characters.'],
    [{ error: 'teapot' }, 'error: There is no error "teapot".'],
    [{ error: true }, 'error must be a text, not true.'],
    [{}, 'The rule must have an effect: error, respond, network, latencyMs or spec.'],
  ])('%j is rejected', async (rule, sentence) => {
    const casa = await createMock();
    expect(await post(casa, rule)).toMatchObject({ error: { message: expect.stringContaining(sentence) } });
    expect(casa.faults.list()).toEqual([]);
  });
});
