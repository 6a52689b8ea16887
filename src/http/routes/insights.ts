// Cites 4.connect.insights.*.
import { admitAction } from '../../domain/actions.ts';
import { describeInsights } from '../../domain/insights.ts';
import { ok } from '../../domain/outcome.ts';
import type { Handler } from '../call.ts';

export const getInsights: Handler<'getInsights'> = ({ accountId, range }, { organization, nowMs }) => {
  const admitted = admitAction(organization, { accountId, action: 'insights', paid: false });
  if (!admitted.ok) return admitted;
  const data = describeInsights(admitted.value, range, nowMs);
  return ok({
    data,
    summary: `Insights of ${admitted.value.label}, ${data.range.startDate} to ${data.range.endDate}.`,
  });
};
