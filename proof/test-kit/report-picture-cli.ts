// `npm run screenshot:report`: the HTML report of a mutant, as the picture in docs/reference/reports.md.
import { type RunRecord, recordOf, trendOf } from '../../conformance/report/history.ts';
import { conclude } from '../../conformance/report/outcome.ts';
import type { Report } from '../../conformance/report/report.ts';
import { html } from '../../conformance/reporters/html.ts';
import { launchChromium, openFromDisk } from './browser.ts';
import { runSuite } from './run-suite.ts';
import { startMockTarget } from './targets.ts';

const file = process.argv[2] ?? 'docs/report.jpg';

/** Two good runs, and one on the mock made wrong in one fact. */
const reports: Report[] = [];
for (const mutant of [undefined, undefined, 'calls-limit-ignored']) {
  const target = await startMockTarget(mutant === undefined ? {} : { mutant });
  const { mcpUrl: _mcpUrl, ...options } = target.options;
  reports.push(await runSuite({ ...target, options: { ...options, keepBodies: true } }));
}
const records: RunRecord[] = [];
for (const report of reports) records.push(recordOf(report, conclude(report).exitCode, records));
const [last, current] = [reports.at(-1), records.at(-1)];
if (last === undefined || current === undefined) throw new Error('There was no run.');
const page = html.render(last, { ...conclude(last), trend: trendOf(records.slice(0, -1), current) });
const browser = await launchChromium();
try {
  const opened = await openFromDisk(browser, page, { viewport: { width: 1200, height: 1150 }, colorScheme: 'light' });
  await opened.page.screenshot({ path: file, type: 'jpeg', quality: 70, animations: 'disabled' });
} finally {
  await browser.close();
}
