import type { OperationId } from '../../src/contract/generated/operations.ts';
import { type Check, defineChecks } from '../check.ts';
import type { Exchange, KeyName } from '../exchange.ts';
import type { Probe } from '../probe.ts';

/** One endpoint of each envelope family; both without parameters, so that nothing but the key can be wrong. */
const FAMILIES: readonly OperationId[] = ['listSites', 'listAccounts'];

async function refuseEverywhere(probe: Probe, key: KeyName, judge: (exchange: Exchange) => void): Promise<void> {
  for (const operation of FAMILIES) judge(await probe.get(operation, {}, key));
}

const missing: Check = {
  id: 'auth/missing-key',
  title: 'A request without a key answers 401 unauthorized',
  cites: ['5.missing-key', '4.bearer', '5.bearer-header'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 2, least: 2 },
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
  phase: 'refusals',
  cost: { requests: 2, least: 2 },
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
  phase: 'refusals',
  needs: ['revoked-key'],
  cost: { requests: 2, least: 2 },
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
  phase: 'refusals',
  cost: { requests: 2, least: 2 },
  async run(probe) {
    const noSite = await probe.get('listKeywords', {}, 'wrong');
    const unknown = await probe.get('getArticle', { id: probe.facts.unknownId }, 'wrong');
    for (const exchange of [noSite, unknown]) {
      probe.expectRefusal(exchange, { status: 401, code: 'unauthorized', clause: '5.invalid-key' });
    }
  },
};

export const authentication = defineChecks([missing, wrong, revoked, beforeParameters]);
