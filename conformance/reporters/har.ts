// HAR 1.2: every exchange of the run, for any viewer of network traffic, and for `conformance har`.

import { harEntry } from '../../src/terminal/har.ts';
import { digestOf, sealed } from '../exchange/canonical.ts';
import type { Outcome, Reporter } from '../report/outcome.ts';
import type { RecordedRun, Report, StoredExchange } from '../report/report.ts';
import { toJson } from './json.ts';
import { checksWith, keptBodiesText } from './quoted.ts';

export const har: Reporter = {
  kind: 'har',
  start: /^\{\s*"log": ?\{\s*"version": ?"1\.2",\s*"creator": ?\{\s*"name": ?"casa-kit conformance/,
  render: (report, outcome) => `${JSON.stringify(toHar(report, outcome), null, 2)}\n`,
};

/** Its digest and that of the report reveal an edit of either file. */
export function toHar(report: Report, outcome: Outcome) {
  const { exitCode } = outcome;
  const run: RecordedRun = { exitCode, failed: checksWith(report, 'fail', 'error').map(({ id }) => id) };
  const { runId, inputs } = report;
  return {
    log: sealed({
      version: '1.2',
      creator: { name: report.tool, version: report.toolVersion },
      // `conformance har` sees the responses, and not how the run ended.
      _run: { ...run, runId, ...(inputs === undefined ? {} : { inputs }), report: digestOf(toJson(report, outcome)) },
      comment: [
        `Run ${report.runId} ended with exit code ${exitCode}.`,
        report.keepsBodies ? `Bodies: ${keptBodiesText}.` : 'Bodies were not kept; error envelopes are.',
        ...(report.isMockTime ? ['Times are those of the mock, whose clock the run has moved.'] : []),
      ].join(' '),
      pages: [],
      entries: report.exchanges.map(entryOf),
    }),
  };
}

/** Comments contain repeats, bursts and the shapes of dropped bodies. Stored exchanges contain no keys. */
export function entryOf(exchange: StoredExchange) {
  const { method, url, requestHeaders, requestBody, status, headers, bodyText, bodyBytes, bodyShape } = exchange;
  const comment = bodyText === null && bodyBytes > 0 ? `not kept; its shape: ${JSON.stringify(bodyShape)}` : '';
  const entry = harEntry({
    startedAt: new Date(exchange.sentAt).toISOString(),
    ms: Math.max(0, exchange.receivedAt - exchange.sentAt),
    request: {
      method,
      url,
      query: queryOf(url),
      headers: requestHeaders,
      text: requestBody.text,
      bytes: requestBody.bytes,
    },
    response: { status, headers, bytes: bodyBytes, content: bodyText === null ? { comment } : { text: bodyText } },
  });
  return { ...entry, comment: commentOf(exchange) };
}

/** Begins with the id, which other reports use. */
function commentOf({ id, problem, problemDetail, repeatOf, burst }: StoredExchange): string {
  return [
    id,
    ...(problem === 'none' ? [] : [`${problem}${problemDetail === null ? '' : ` (${problemDetail})`}`]),
    ...(repeatOf === null ? [] : [`repeats ${repeatOf}`]),
    ...(burst ? ['part of a burst'] : []),
  ].join('; ');
}

/** Returns no parameters for an invalid URL. */
function queryOf(url: string): Record<string, string> {
  return URL.canParse(url) ? Object.fromEntries(new URL(url).searchParams) : {};
}
