// Cites 4.connect.insights.*.
import { admitAction } from '../../domain/actions.ts';
import { describeInsights } from '../../domain/insights.ts';
import { type Handler, unchanged } from '../handler.ts';

export const getInsights: Handler<'getInsights'> = ({ accountId, range }, { organization, world, nowMs }) => {
  const admitted = admitAction(organization, { accountId, action: 'insights', paid: false, states: world.choices });
  if (!admitted.ok) return admitted;
  const { insightPoints, insightLagDays, numbers } = world.choices;
  const data = describeInsights(admitted.value, range, {
    nowMs,
    points: insightPoints,
    lagDays: insightLagDays,
    hasFractions: numbers === 'fractions',
  });
  return unchanged({
    data,
    summary: `Insights of ${admitted.value.label}, ${data.range.startDate} to ${data.range.endDate}.`,
  });
};
