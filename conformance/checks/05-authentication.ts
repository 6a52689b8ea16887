import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { type Check, defineChecks } from '../check.ts';
import { type Exchange, isAnswered, isLimiterRefusal, type KeyName } from '../exchange.ts';
import type { Probe } from '../probe.ts';

/** One endpoint of each envelope family; both without parameters, so that nothing but the key can be wrong. */
const FAMILIES: readonly OperationId[] = ['listSites', 'listAccounts'];

/** The credential burst has asked everywhere already where it was allowed; otherwise one endpoint of each family is asked. */
async function refuseEverywhere(probe: Probe, key: KeyName, judge: (exchange: Exchange) => void): Promise<void> {
  const asked = probe
    .history()
    .filter((exchange) => exchange.key === key && !isLimiterRefusal(exchange) && isAnswered(exchange));
  const families = new Set(asked.map(({ operation }) => operation && operations[operation].envelope));
  if (families.has('simple') && families.has('tool')) asked.forEach(judge);
  else for (const operation of FAMILIES) judge(await probe.get(operation, {}, key));
}

const missing: Check = {
  id: 'auth/missing-key',
  title: 'A request without a key answers 401 unauthorized',
  cites: ['5.missing-key', '4.bearer', '5.bearer-header'],
  level: 'must',
  phase: 'bursts',
  cost: { requests: 2 },
  async run(probe) {
    await refuseEverywhere(probe, 'none', (exchange) => {
      probe.expectRefusal(exchange, { status: 401, code: 'unauthorized', clause: '5.missing-key' });
    });
  },
};

const wrong: Check = {
  id: 'auth/wrong-key',
  title: 'A request with a key that was never given out answers 401 unauthorized',
  cites: ['5.invalid-key', '4.bearer'],
  level: 'must',
  phase: 'bursts',
  cost: { requests: 2 },
  async run(probe) {
    await refuseEverywhere(probe, 'wrong', (exchange) => {
      probe.expectRefusal(exchange, { status: 401, code: 'unauthorized', clause: '5.invalid-key' });
    });
  },
};

const revoked: Check = {
  id: 'auth/revoked-key',
  title: 'A request with a revoked key answers 401 unauthorized',
  cites: ['5.revoked-key'],
  level: 'must',
  phase: 'bursts',
  needs: ['revoked-key'],
  cost: { requests: 2 },
  async run(probe) {
    await refuseEverywhere(probe, 'revoked', (exchange) => {
      probe.expectRefusal(exchange, { status: 401, code: 'unauthorized', clause: '5.revoked-key' });
    });
  },
};

const beforeParameters: Check = {
  id: 'auth/before-parameters',
  title: 'A bad key answers 401 even where the parameters are wrong or the record unknown',
  cites: ['5.invalid-key', '7.code.unauthorized'],
  level: 'must',
  phase: 'bursts',
  cost: { requests: 2 },
  async run(probe) {
    const asked = probe.history().filter((exchange) => exchange.key === 'wrong' && !isLimiterRefusal(exchange));
    const burst = asked.filter((exchange) => exchange.burst && (exchange.operation ?? 'listSites') !== 'listSites');
    const noSite = burst.length > 0 ? null : await probe.get('listKeywords', {}, 'wrong');
    const unknown = burst.length > 0 ? null : await probe.get('getArticle', { id: probe.facts.unknownId }, 'wrong');
    for (const exchange of noSite && unknown ? [noSite, unknown] : burst) {
      probe.expectRefusal(exchange, { status: 401, code: 'unauthorized', clause: '5.invalid-key' });
    }
  },
};

export const authentication = defineChecks([missing, wrong, revoked, beforeParameters]);
