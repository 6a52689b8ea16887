// Which metrics the insights of a platform show: an assumption (assumption C114). Platforms without insights have none.
import type { Provider } from '../contract/generated/types.ts';
import type { MetricData } from './world-data.ts';

/** The mean is the order of magnitude of a day; `insights.ts` varies it. */
type MetricRow = readonly [key: string, label: string, dailyMean: number];

const providerMetrics: Readonly<Record<Provider, readonly MetricRow[]>> = {
  google_business: [
    ['views_search', 'Views on Search', 180],
    ['views_maps', 'Views on Maps', 95],
    ['website_clicks', 'Website clicks', 22],
    ['calls', 'Calls', 6],
    ['direction_requests', 'Direction requests', 11],
  ],
  facebook_page: [
    ['impressions', 'Impressions', 640],
    ['reach', 'Reach', 410],
    ['engagements', 'Engagements', 38],
  ],
  tiktok: [
    ['video_views', 'Video views', 1250],
    ['likes', 'Likes', 84],
    ['shares', 'Shares', 9],
  ],
  instagram: [
    ['impressions', 'Impressions', 820],
    ['reach', 'Reach', 530],
    ['profile_views', 'Profile views', 27],
  ],
  google_analytics: [
    ['sessions', 'Sessions', 310],
    ['users', 'Users', 240],
    ['page_views', 'Page views', 760],
  ],
  google_search_console: [
    ['clicks', 'Clicks', 120],
    ['impressions', 'Impressions', 4100],
  ],
  google_ads: [
    ['impressions', 'Impressions', 2300],
    ['clicks', 'Clicks', 64],
    ['conversions', 'Conversions', 3],
  ],
  google_calendar: [],
  google_contacts: [],
};

/** Those of a new account; the accounts of a world file bring their own. */
export function metricsOf(provider: Provider): MetricData[] {
  return providerMetrics[provider].map(([key, label, dailyMean]) => ({ key, label, dailyMean }));
}
