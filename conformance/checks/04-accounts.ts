import { type Check, defineChecks } from '../check.ts';
import { show } from '../ledger.ts';
import { sameId } from '../same-id.ts';
import { isObstacle, nameOfAnswer } from './usable-account.ts';

const list: Check = {
  id: 'accounts/list',
  title: 'GET /connect/accounts answers 200 with accounts, pending invites and the billing position',
  cites: ['4.connect.list-accounts.endpoint', '4.connect.list-accounts.content'],
  level: 'must',
  phase: 'discover',
  cost: { requests: 0, uses: ['accounts'] },
  async run(probe) {
    const exchange = await probe.get('listAccounts');
    if (isObstacle(exchange))
      return probe.stop('precondition', `GET /connect/accounts answered ${nameOfAnswer(exchange)}`);
    if (!probe.expectStatus(exchange, 200, '4.connect.list-accounts.endpoint')) return;
    const accounts = await probe.facts.accounts();
    const claim = { clause: '4.connect.list-accounts.content', pointer: '/data/accounts', exchange } as const;
    const ids = accounts.map(({ accountId }) => accountId);
    const twice = ids.find((id, index) => ids.indexOf(id) < index);
    if (twice !== undefined) probe.note({ ...claim, expected: 'each account once', actual: `${show(twice)} twice` });
    const { account } = probe.settings;
    if (account === null || ids.some((id) => sameId(id, account))) return;
    probe.note({ ...claim, expected: `the account of --account, ${account}`, actual: `${ids.length} other accounts` });
  },
};

/** No UUID, and nothing that a path could trip over: 400 and 404 are both right for it (rulings R1). */
const MALFORMED_ID = 'no-uuid';

const malformedId: Check = {
  id: 'accounts/malformed-id',
  title: 'Reviews and insights of an account id that is no UUID are refused',
  cites: ['4.connect.account-id'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 2, least: 2 },
  async run(probe) {
    for (const operation of ['listReviews', 'getInsights'] as const) {
      const exchange = await probe.get(operation, { accountId: MALFORMED_ID });
      if (isObstacle(exchange)) probe.doubt('precondition', `${nameOfAnswer(exchange)} came before 400 or 404`);
      else probe.expectStatus(exchange, [400, 404], '4.connect.account-id');
    }
  },
};

export const accounts = defineChecks([list, malformedId]);
