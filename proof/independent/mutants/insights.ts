import type { Fields } from '../seams.ts';
import { type IndependentMutant, without } from './mutant.ts';

interface Metric {
  points: Fields[];
  total: number;
}

function lastMetric(data: Fields, change: (metric: Metric) => Fields): Fields {
  const metrics = data.metrics as Metric[];
  return { ...data, metrics: metrics.map((metric, at) => (at === metrics.length - 1 ? change(metric) : metric)) };
}

export const insightMutants: readonly IndependentMutant[] = [
  {
    name: 'insights-default-week',
    breaks: '4.connect.insights.range-default',
    shows: 'Insights without a range are those of 7d.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'frugal'],
    wrong: () => ({ 'insights.days': (days, { range }) => (range === null ? 7 : days) }),
  },
  {
    name: 'insights-range-unchecked',
    breaks: '4.connect.insights.bad-range',
    shows: 'Any range that is not known is answered like 28d.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'insights.days': (days) => days ?? 28 }),
  },
  {
    name: 'insights-any-number-of-days',
    breaks: '4.connect.insights.bad-range',
    shows: 'A range such as 14d or 1d is answered, although only three are listed.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'insights.days': (days, { range }) =>
        days ?? (/^\d{1,3}d$/.test(range ?? '') ? Number.parseInt(range ?? '', 10) : days),
    }),
  },
  {
    name: 'insights-late-total-text',
    breaks: '2.get-insights-output.metrics.total',
    shows: 'total of the last metric is a string.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'insights.data': (data) => lastMetric(data, (metric) => ({ ...metric, total: String(metric.total) })),
    }),
  },
  {
    name: 'insights-gap-null',
    breaks: '2.get-insights-output.metrics.points.value',
    shows: 'value of the last point of the last metric, a day not yet counted, is null.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'insights.data': (data) =>
        lastMetric(data, (metric) => {
          const points = metric.points.map((point, at) =>
            at === metric.points.length - 1 ? { ...point, value: null } : point,
          );
          return { ...metric, points };
        }),
    }),
  },
  {
    name: 'insights-no-metrics-dropped',
    breaks: '2.get-insights-output.required',
    shows: 'metrics is left out when there is none.',
    needs: 'nothing',
    variants: ['frugal'],
    wrong: () => ({
      'insights.data': (data) => ((data.metrics as unknown[]).length === 0 ? without(data, 'metrics') : data),
    }),
  },
  {
    name: 'insights-long-range-more',
    breaks: '2.get-insights-output.closed',
    shows: 'Insights of 90d have a member sampled.',
    needs: 'nothing',
    variants: ['plain', 'frugal'],
    wrong: () => ({
      'insights.data': (data, ask) => (ask.query.get('range') === '90d' ? { ...data, sampled: true } : data),
    }),
  },
];
