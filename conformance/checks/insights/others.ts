// Insights of other accounts than the one that the run measures: what is wrong with one of them alone.

import {
  isDocumentedRefusal,
  judgeAnswer,
  otherBusinesses,
  rank,
  readUnlessTroubled,
} from '../../assertions/accounts.ts';
import { canonical } from '../../assertions/call-log/record.ts';
import { about } from '../../assertions/claims.ts';
import { measured } from '../../assertions/insights.ts';
import { thorough } from '../../assertions/thorough.ts';
import { dataOf, type Exchange, isObject, listOf, nameOfAnswer } from '../../exchange/exchange.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** Accounts besides the first one that shows insights. */
const OTHERS_MAX = 3;
/** So many different figures are the same by chance in no two accounts. */
const FIGURES_MIN = 10;

const otherAccounts: CheckRow = {
  id: 'insights/other-accounts',
  title: 'Other connected accounts answer for their insights with 200 or a code of the table',
  cites: ['4.connect.insights.endpoint', '4.connect.statuses', '5.provider-auth'],
  after: ['insights/listing'],
  needs: thorough,
  // The list again, where an account is not found.
  cost: { requests: OTHERS_MAX, confirms: OTHERS_MAX, uses: ['insights'] },
  async run(probe) {
    const { accountId, exchange } = await measured(probe);
    const rows = await probe.facts.accounts();
    const others = otherBusinesses(rows, accountId).sort((a, b) => rank(a) - rank(b));
    for (const other of others.slice(0, OTHERS_MAX)) {
      const params = { range: '28d' };
      const answer = await readUnlessTroubled(probe, other.accountId, { operation: 'getInsights', params });
      if (answer === null) continue;
      judgeAnswer(probe, { accountId: other.accountId, exchange: answer }, '4.connect.insights.endpoint');
      const isRefusal = answer.status !== 200 && isDocumentedRefusal(answer);
      const claim = about(answer, '4.connect.statuses', '#status');
      if (isRefusal) probe.holds(true, { ...claim, expected: 'a refusal', actual: nameOfAnswer(answer) });
      if (answer.status === 200) judgeOwn(probe, answer, exchange);
    }
  },
};

/** The contract does not state the figures (R32), and deployments for tests often show the same for all accounts. */
function judgeOwn(probe: Probe, answer: Exchange, first: Exchange): void {
  const figures = figuresOf(answer);
  const isSame = canonical(figures) === canonical(figuresOf(first)) && new Set(figures).size >= FIGURES_MIN;
  const claim = {
    ...about(answer, '4.connect.insights.endpoint', '/data/metrics'),
    expected: 'figures of this account',
  };
  if (isSame) probe.note({ ...claim, actual: `those of another account, as in ${first.id}` });
  else probe.holds(true, { ...claim, proves: [], actual: 'others' });
}

function figuresOf(exchange: Exchange): unknown[] {
  const points = listOf(dataOf(exchange).metrics).flatMap((metric) => (isObject(metric) ? listOf(metric.points) : []));
  return points.map((point) => (isObject(point) ? point.value : undefined));
}

export const insightsOfOthers = defineChecks({ phase: 'after bursts' }, [otherAccounts]);
