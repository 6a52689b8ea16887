// The report as one page that works from disk, without external resources. Content of a target is always escaped, and
// the content security policy permits only our script.
import type { Outcome, Reporter } from '../report/outcome.ts';
import { type Report, titleOf } from '../report/report.ts';
import { script, scriptDigest, style, styleDigest } from './generated/report-page.ts';
import { allChecks, allExchanges, behaviorsView, coverage } from './html/checks-view.ts';
import { findings } from './html/findings-view.ts';
import { type Markup, html as markup } from './html/markup.ts';
import { banner, cards, header, history } from './html/summary-view.ts';

export const html: Reporter = {
  kind: 'html',
  start: /^<!doctype html>[\s\S]{0,2000}<title>[✓✕] /,
  render: (report, outcome) => page(report, outcome).markup,
};

/** Includes style and script, so people can mail the file. */
function page(report: Report, outcome: Outcome): Markup {
  // A reader wants to know what to fix before how much was sent.
  const views = [findings(report, outcome), cards(report)];
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy()}"><meta name="referrer" content="no-referrer">
<title>${outcome.exitCode === 0 ? '✓' : '✕'} ${titleOf(report)}</title><style>${trusted(style)}</style></head>
<body><main>${header(report)}${banner(report, outcome)}${contents(report, outcome)}
${history(outcome.trend)}${hasFailures(report) ? views : views.toReversed()}
${coverage(report)}${behaviorsView(report)}${allChecks(report)}${allExchanges(report)}
<footer class="end">Each finding names its clause and a curl command that reproduces it. Set ${keyHint(report)} first.
Reports contain no keys.</footer></main><script>${trusted(script)}</script></body></html>
`;
}

const hasFailures = ({ summary }: Report) => summary.fail + summary.error > 0;

function keyHint({ compared }: Report): Markup {
  return compared === undefined ? markup`<code>CONFORMANCE_API_KEY</code>` : markup`the variable in the command`;
}

/** Links only to sections that exist. */
function contents(report: Report, outcome: Outcome): Markup {
  const { compared } = report;
  const places: readonly (readonly [id: string, title: string, isThere: boolean])[] = [
    ['history', 'Since the last run', outcome.trend !== undefined],
    ['failures', compared ? 'Differences' : 'Failures', hasFailures(report)],
    ['warnings', compared ? 'Legal differences' : 'Warnings', report.summary.warn > 0],
    ['doubts', compared ? 'Not comparable' : 'Inconclusive', report.summary.inconclusive > 0],
    ['skipped', 'Skipped', report.summary.skipped > 0],
    ['coverage', 'Coverage', true],
    ['behaviors', 'Behaviors', report.behaviors.length > 0],
    ['checks', 'All checks', report.checks.length > 0],
    ['exchanges', 'Exchanges', report.exchanges.length > 0],
  ];
  const links = places.flatMap(([id, title, isThere]) => (isThere ? [markup`<a href="#${id}">${title}</a>`] : []));
  return markup`<nav aria-label="On this page">${links}</nav>`;
}

/** Permits script and style by their hashes only. */
function policy(): string {
  return [
    `default-src 'none'`,
    `style-src '${styleDigest}'`,
    `script-src '${scriptDigest}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

function trusted(text: string): Markup {
  return { markup: text };
}
