// HAR 1.2: every exchange of the run, for any viewer of network traffic, and for `conformance har`.

import type { Outcome, Reporter } from '../report/outcome.ts';
import type { RecordedRun, Report, StoredExchange } from '../report/report.ts';
import { checksWith } from './quoted.ts';

export const har: Reporter = {
  kind: 'har',
  start: /^\{\s*"log": ?\{\s*"version": ?"1\.2",\s*"creator": ?\{\s*"name": ?"casa-kit conformance/,
  render: (report, outcome) => `${JSON.stringify(toHar(report, outcome), null, 2)}\n`,
};

/**
 * Members that HAR asks for and the kit does not know have the value that stands for unknown: -1, an empty list or
 * text.
 */
function toHar(report: Report, { exitCode }: Outcome) {
  const run: RecordedRun = { exitCode, failed: checksWith(report, 'fail', 'error').map(({ id }) => id) };
  return {
    log: {
      version: '1.2',
      creator: { name: report.tool, version: report.toolVersion },
      // Recorded traffic shows single responses, so `conformance har` could not see by itself how the run ended.
      _run: run,
      comment: [
        `Run ${report.runId} ended with exit code ${exitCode}.`,
        ...(report.keepsBodies ? [] : ['Bodies were not kept; error envelopes are.']),
        ...(report.isMockTime ? ['Times are those of the mock, whose clock the run has moved.'] : []),
      ].join(' '),
      pages: [],
      entries: report.exchanges.map(entryOf),
    },
  };
}

/** Repeats and bursts stand in the comment, since HAR has no place for them. */
export function entryOf(exchange: StoredExchange) {
  const totalMs = Math.max(0, exchange.receivedAt - exchange.sentAt);
  return {
    startedDateTime: new Date(exchange.sentAt).toISOString(),
    time: totalMs,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    // Only the whole is known: what the connection took and what the server took is all waiting.
    timings: { send: 0, wait: totalMs, receive: 0 },
    comment: commentOf(exchange),
  };
}

/** The key is redacted here already, since stored exchanges have none. */
function requestOf({ method, url, requestHeaders, requestBody }: StoredExchange) {
  const postData = { mimeType: requestHeaders['content-type'] ?? 'application/json', text: requestBody.text ?? '' };
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(requestHeaders),
    queryString: pairs(queryOf(url)),
    ...(requestBody.text === null ? {} : { postData }),
    headersSize: -1,
    bodySize: requestBody.bytes,
  };
}

/** Where the body was not kept, its shape stands in the comment and the size stays true. */
function responseOf({ status, headers, bodyText, bodyBytes, bodyShape }: StoredExchange) {
  const mimeType = headers['content-type'] ?? '';
  const comment = bodyText === null && bodyBytes > 0 ? `not kept; its shape: ${JSON.stringify(bodyShape)}` : '';
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    content: { size: bodyBytes, mimeType, ...(bodyText === null ? { comment } : { text: bodyText }) },
    redirectURL: headers.location ?? '',
    headersSize: -1,
    bodySize: bodyBytes,
  };
}

/** The id first, by which the other reports name it. */
function commentOf({ id, problem, problemDetail, repeatOf, burst }: StoredExchange): string {
  return [
    id,
    ...(problem === 'none' ? [] : [`${problem}${problemDetail === null ? '' : ` (${problemDetail})`}`]),
    ...(repeatOf === null ? [] : [`repeats ${repeatOf}`]),
    ...(burst ? ['part of a burst'] : []),
  ].join('; ');
}

function pairs(values: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** Empty for an address that cannot be parsed; the URL itself is kept to the letter. */
function queryOf(url: string): Record<string, string> {
  return URL.canParse(url) ? Object.fromEntries(new URL(url).searchParams) : {};
}
