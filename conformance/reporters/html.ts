// The report as one page that works from disk, without external resources. Content of a target is always escaped, and
// the content security policy permits only our script.
import { createHash } from 'node:crypto';
import type { Outcome, Reporter } from '../report/outcome.ts';
import { type Report, titleOf } from '../report/report.ts';
import { script, scriptDigest, style, styleDigest } from './generated/report-page.ts';
import { allChecks, allExchanges, behaviorsView, coverage } from './html/checks-view.ts';
import { findings } from './html/findings-view.ts';
import { type Markup, html as markup } from './html/markup.ts';
import { banner, header, history, method, overview } from './html/summary-view.ts';
import { type Summary, signs, summaryOf } from './summary.ts';

export const html: Reporter = {
  kind: 'html',
  start: /^<!doctype html>[\s\S]{0,2000}<title>[✓✕?] /,
  render: (report, outcome) => page(report, outcome).markup,
};

/** Includes style and script, so people can mail the file. */
function page(report: Report, outcome: Outcome): Markup {
  const summary = summaryOf(report, outcome);
  const paper = pageStyle(report, outcome);
  const title = `${signs[summary.mood]} ${titleOf(report)}: ${summary.share}`;
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy(paper)}"><meta name="referrer" content="no-referrer">
<title>${title}</title><style>${trusted(style)}</style><style>${trusted(paper)}</style></head>
<body><main>${header(report, summary)}${banner(report, summary)}${contents(report, outcome, summary)}
${overview(summary)}${history(outcome.trend)}${findings(report, outcome)}
${coverage(report)}${method(summary)}${behaviorsView(report)}${allChecks(report)}${allExchanges(report)}
<footer class="end">Each finding names its clause and a curl command that reproduces it. Set ${keyHint(report)} first.
Reports contain no keys.<p class="paper">On paper, two findings of a cause and the requests of the causes are printed.
The file has all of them, all checks, and the result of each clause.</p></footer></main><script>${trusted(script)}</script></body></html>
`;
}

/** The foot of each printed page identifies the run, because pages get separated. */
function pageStyle(report: Report, outcome: Outcome): string {
  const json = outcome.files?.find(({ kind }) => kind === 'json');
  const { set, digest } = report.requirements;
  const data =
    json === undefined ? `${set} ${digest.slice(0, 12)}` : `SHA-256 of the JSON report ${json.sha256.slice(0, 16)}`;
  return `@page{@bottom-left{content:"run ${report.runId.replace(/[^\w.-]/g, '')} · ${data}"}}`;
}

const hasFailures = ({ summary }: Report) => summary.fail + summary.error > 0;

function keyHint({ compared }: Report): Markup {
  return compared === undefined ? markup`<code>CONFORMANCE_API_KEY</code>` : markup`the variable in the command`;
}

/** Links only to sections that exist. */
function contents(report: Report, outcome: Outcome, { impacts, areas, next, method: facts }: Summary): Markup {
  const { compared } = report;
  const places: readonly (readonly [id: string, title: string, isThere: boolean])[] = [
    ['impact', 'Impact', impacts.length > 0],
    ['gaps', 'Not tested', areas.length > 0],
    ['next', 'Next steps', next.length > 0],
    ['history', 'Since the last run', outcome.trend !== undefined],
    ['failures', compared ? 'Differences' : 'Causes', hasFailures(report)],
    ['warnings', compared ? 'Legal differences' : 'Warnings', report.summary.warn > 0],
    ['doubts', compared ? 'Not comparable' : 'Not decided', report.summary.inconclusive > 0],
    ['coverage', 'Coverage', true],
    ['method', 'Method and limits', facts.length > 0],
    ['behaviors', 'Behaviors', report.behaviors.length > 0],
    ['checks', 'All checks', report.checks.length > 0],
    ['exchanges', 'Exchanges', report.exchanges.length > 0],
  ];
  const links = places.flatMap(([id, title, isThere]) => (isThere ? [markup`<a href="#${id}">${title}</a>`] : []));
  return markup`<nav aria-label="On this page">${links}</nav>`;
}

/** Permits script and style by their hashes only. */
function policy(paper: string): string {
  return [
    `default-src 'none'`,
    `style-src '${styleDigest}' 'sha256-${createHash('sha256').update(paper).digest('base64')}'`,
    `script-src '${scriptDigest}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

function trusted(text: string): Markup {
  return { markup: text };
}
