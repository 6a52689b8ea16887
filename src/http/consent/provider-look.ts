// How the page of each platform looks: a colour near its own and a drawing of what it is for. No name or mark of a
// platform is drawn.
import type { Provider } from '../../contract/generated/types.ts';

interface Look {
  /** On light and on dark ground; both can be read under white and under black. */
  readonly colors: readonly [light: string, dark: string];
  /** Paths of a drawing of 24 by 24. */
  readonly drawing: string;
}

const looks: Readonly<Record<Provider, Look>> = {
  google_business: { colors: ['#1a5fd0', '#8ab4ff'], drawing: 'M4 10h16v10H4zM3 10l2-6h14l2 6M10 20v-6h4v6' },
  facebook_page: { colors: ['#1b55b8', '#86b0ff'], drawing: 'M6 3h12v18H6zM9 7h6M9 11h6M9 15h4' },
  tiktok: { colors: ['#1c1f26', '#d5dae4'], drawing: 'M4 4h16v16H4zM10 8l6 4-6 4z' },
  instagram: { colors: ['#a3246c', '#f0a0cb'], drawing: 'M4 7h4l2-3h4l2 3h4v12H4zM12 10a3 3 0 1 0 0 6 3 3 0 0 0 0-6z' },
  google_analytics: { colors: ['#9a4a00', '#ffb77a'], drawing: 'M5 20v-6M12 20V9M19 20V4' },
  google_search_console: { colors: ['#1d6b3c', '#7fdba2'], drawing: 'M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5' },
  google_ads: { colors: ['#1f5ca8', '#90bcff'], drawing: 'M4 10v4l10 5V5zM14 9l5-2M14 15l5 2M6 14v6' },
  google_calendar: { colors: ['#0b5cab', '#8cc0ff'], drawing: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5' },
  google_contacts: { colors: ['#3f4bb0', '#aab3ff'], drawing: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c1-6 15-6 16 0' },
};

/** A rule for each platform: the class of the page picks one. */
export const lookStyle = Object.entries(looks)
  .map(([provider, { colors }]) => `.${provider}{--brand:light-dark(${colors.join(',')})}`)
  .join('\n');

/** The drawing as SVG; it says nothing that the text beside it does not. */
export function drawingOf(provider: Provider): string {
  return `<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="${looks[provider].drawing}"/></svg>`;
}
