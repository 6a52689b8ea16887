// Cites 4.connect.insights.*.
import { admitAction } from '../../domain/actions.ts';
import { describeInsights } from '../../domain/insights.ts';
import { type Handler, unchanged } from '../handler.ts';

export const getInsights: Handler<'getInsights'> = ({ accountId, range }, { organization, nowMs }) => {
  const admitted = admitAction(organization, { accountId, action: 'insights', paid: false });
  if (!admitted.ok) return admitted;
  const data = describeInsights(admitted.value, range, nowMs);
  return unchanged({
    data,
    summary: `Insights of ${admitted.value.label}, ${data.range.startDate} to ${data.range.endDate}.`,
  });
};
