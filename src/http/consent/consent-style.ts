// The style sheet of the consent pages. The Content-Security-Policy has its hash; a test compares the two.
import type { Provider } from '../../contract/generated/types.ts';

// The look of each platform's page: a similar color and a drawing of its purpose, without names or logos.
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

/** The drawing as SVG; it says nothing that the text next to it does not. */
export function drawingOf(provider: Provider): string {
  return `<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="${looks[provider].drawing}"/></svg>`;
}

export const consentStyle = `:root{color-scheme:light dark;--ink:light-dark(#1d2433,#e8ecf4);
--soft:light-dark(#515b70,#a0a9bb);--paper:light-dark(#fff,#1b212d);--ground:light-dark(#f2f4f8,#11151d);
--line:light-dark(#d5dae4,#384152);--brand:light-dark(#1f5eff,#7aa2ff);--on:light-dark(#fff,#0b1020);
--bad:light-dark(#a8201a,#ff9d96);--good:light-dark(#0b6b39,#62d796);--mock:light-dark(#ffe9b8,#453510)}
${lookStyle}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;grid-template-rows:auto 1fr;place-items:center;background:var(--ground);
color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
.mock{width:100%;padding:.4rem 1rem;background:var(--mock);text-align:center;font-size:.9rem}
main{width:min(30rem,100% - 2rem);margin:1.5rem 0;background:var(--paper);border:1px solid var(--line);
border-top:5px solid var(--brand);border-radius:14px;padding:1.6rem 2rem;overflow-wrap:anywhere}
h1{margin:.2rem 0 1rem;font-size:1.5rem;line-height:1.25}
a{color:var(--brand)}
.mark{float:right;width:2.6rem;fill:none;stroke:var(--brand);stroke-width:1.6;stroke-linejoin:round}
.kicker{margin:0;color:var(--soft);font-size:.85rem;font-weight:600}
.kicker.done{color:var(--good)}
.note,footer{color:var(--soft);font-size:.9rem}
.problem{border-left:3px solid var(--bad);padding-left:.75rem;color:var(--bad)}
label{display:block;margin:1rem 0;font-weight:600}
input{display:block;width:100%;margin-top:.3rem;padding:.65rem .75rem;border:1px solid var(--line);
border-radius:8px;background:var(--ground);color:var(--ink);font:inherit;font-weight:400}
button,.back{display:block;width:100%;margin:.5rem 0;padding:.75rem;border:1px solid var(--line);border-radius:8px;
background:none;color:var(--ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.main,.back{background:var(--brand);border-color:var(--brand);color:var(--on)}
.small{width:auto;padding:.3rem .8rem;font-size:.85rem;font-weight:400}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
summary{cursor:pointer;margin:.5rem 0}
code{font-size:.85em}
footer{margin-top:1.5rem;padding-top:1rem;border-top:1px solid var(--line)}`;

export const consentStyleHash = 'sha256-QrP/H4tUC5PXx9nZHI8Yk8xBDudmoCjINW+MahBt1lg=';
