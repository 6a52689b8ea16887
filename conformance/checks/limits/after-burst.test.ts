import { expect, test } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import type { RequestSpec } from '../../exchange/request.ts';
import { makeLedger } from '../../judge/ledger.ts';
import type { Probe } from '../../probe/probe.ts';
import { afterBurst } from './after-burst.ts';

/** The check after a blocked burst, of a service outside of this machine that reads the address in `trusted`. */
async function tryEscape(trusted: string) {
  const ledger = makeLedger('must');
  const known: Exchange[] = [];
  const respond = ({ headers = {}, key = 'good' }: RequestSpec, burst = false) => {
    const status = headers[trusted] === undefined ? 429 : 200;
    const json = status === 429 ? { error: 'rate_limit_exceeded' } : { data: [] };
    const times = { sentAt: 1, receivedAt: 1, repeatOf: null, burst, id: `x${known.length}` };
    const exchange = { ...times, status, json, key, address: null, operation: 'listSites', method: 'GET' };
    known.push({ ...exchange, target: '/sites', headers: {}, problem: 'none' } as unknown as Exchange);
    return known.at(-1) as Exchange;
  };
  respond({}, true);
  const [check] = afterBurst.filter(({ id }) => id === 'limits/address-escape');
  await check?.run({
    settings: { isLoopback: false },
    now: () => 1,
    history: () => known,
    sendNow: async (spec: RequestSpec) => respond(spec),
    holds: ledger.holds,
    warn: (claim: Parameters<Probe['warn']>[0]) => ledger.record('warn', claim),
  } as unknown as Probe);
  return ledger.conclude().kind;
}

test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip'])(
  'a client that names another address in %s and passes is worth a warning',
  async (name) => {
    expect(await tryEscape(name)).toBe('warn');
  },
);

test('another User-Agent that passes is a failure', async () => {
  expect(await tryEscape('user-agent')).toBe('fail');
});
