import type { Fields, Wrongness } from '../seams.ts';
import type { MutantsByClause } from './mutant.ts';
import { without } from './recipes.ts';

interface Metric extends Fields {
  points: Fields[];
  total: number;
}

function lastMetric(data: Fields, change: (metric: Metric) => Fields): Fields {
  const metrics = data.metrics as Metric[];
  return { ...data, metrics: metrics.map((metric, at) => (at === metrics.length - 1 ? change(metric) : metric)) };
}

/** The range that is asked for is answered as another one. */
function mistake(asked: string, days: number): () => Wrongness {
  return () => ({ 'insights.days': (right, { range }) => (range === asked ? days : right) });
}

/** Insights: the range, the metrics and their points. */
export const insightMutants: MutantsByClause = {
  '4.connect.insights.range-default': {
    'insights-default-week': {
      shows: 'Insights without a range are those of 7d.',
      wrong: () => ({ 'insights.days': (days, { range }) => (range === null ? 7 : days) }),
    },
  },
  '4.connect.insights.range': {
    'insights-quarter-is-month': {
      shows: 'Insights of 90d are those of 28d.',
      // A platform may keep no more (R32).
      verdict: 'warn',
      wrong: mistake('90d', 28),
    },
    'insights-quarter-named-month': {
      shows: 'Insights of 90d have points of 90 days under the dates of 28d.',
      wrong: () => {
        let month: unknown;
        return {
          'insights.data': (data, ask) => {
            const range = ask.query.get('range') ?? '28d';
            if (range === '28d') month = data.range;
            return range === '90d' && month !== undefined ? { ...data, range: month } : data;
          },
        };
      },
    },
    'insights-few-days-cached-by-path': {
      shows: 'An account that has shown twelve days of one range shows them of every range, from a cache by path.',
      wrong: () => {
        const kept = new Map<string, Fields>();
        return {
          'insights.days': (days) => (days === undefined ? days : Math.min(days, 12)),
          'insights.data': (data, { segments }) => {
            const first = kept.get(segments.join('/')) ?? data;
            kept.set(segments.join('/'), first);
            return first;
          },
        };
      },
    },
    'insights-week-is-month': {
      shows: 'Insights of 7d are those of 28d.',
      wrong: mistake('7d', 28),
    },
    'insights-range-ignored': {
      shows: 'Insights are those of 28d, whichever of the three ranges is asked for.',
      wrong: () => ({ 'insights.days': (days) => (days === undefined ? days : 28) }),
    },
  },
  '2.get-insights-output.inner-required': {
    'insights-open-end': {
      shows: 'range has no endDate where it ends today.',
      wrong: () => ({
        'insights.data': (data) => ({ ...data, range: without(data.range as Fields, 'endDate') }),
      }),
    },
    'insights-late-label-dropped': {
      shows: 'The last metric has no label.',
      wrong: () => ({ 'insights.data': (data) => lastMetric(data, (metric) => without(metric, 'label')) }),
    },
    'insights-late-total-dropped': {
      shows: 'The last metric has no total.',
      wrong: () => ({ 'insights.data': (data) => lastMetric(data, (metric) => without(metric, 'total')) }),
    },
  },
  '4.connect.insights.bad-range': {
    'insights-range-unchecked': {
      shows: 'Any range that is not known is answered like 28d.',
      wrong: () => ({ 'insights.days': (days) => days ?? 28 }),
    },
    'insights-any-number-of-days': {
      shows: 'A range such as 14d or 1d is answered, although only three are listed.',
      wrong: () => ({
        'insights.days': (days, { range }) =>
          days ?? (/^\d{1,3}d$/.test(range ?? '') ? Number.parseInt(range ?? '', 10) : days),
      }),
    },
  },
  '2.get-insights-output.metrics.total': {
    'insights-late-total-text': {
      shows: 'total of the last metric is a string.',
      wrong: () => ({
        'insights.data': (data) => lastMetric(data, (metric) => ({ ...metric, total: String(metric.total) })),
      }),
    },
  },
  '2.get-insights-output.metrics.points.value': {
    'insights-gap-null': {
      shows: 'value of the last point of the last metric, a day not yet counted, is null.',
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
  },
  '2.get-insights-output.required': {
    'insights-no-metrics-dropped': {
      shows: 'metrics is left out when there are no metrics.',
      variant: 'frugal',
      wrong: () => ({
        'insights.data': (data) => ((data.metrics as unknown[]).length === 0 ? without(data, 'metrics') : data),
      }),
    },
  },
  '2.get-insights-output.closed': {
    'insights-long-range-more': {
      shows: 'Insights of 90d have a member sampled.',
      wrong: () => ({
        'insights.data': (data, ask) => (ask.query.get('range') === '90d' ? { ...data, sampled: true } : data),
      }),
    },
  },
};
