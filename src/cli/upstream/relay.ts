// The way from the mock to a deployment: the client's key becomes the deployment's, the response comes back unchanged,
// and the kit's rules judge it. This is the one file of the mock that knows the kit.

import { isUtf8 } from 'node:buffer';
import { closeSync, writeSync } from 'node:fs';
import { type Live, type LiveResponse, openLive } from '../../../conformance/live.ts';
import { keyWindow } from '../../contract/generated/limits.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import type { ListCallsResponse } from '../../contract/generated/types.ts';
import type { CoreRequest, CoreResponse } from '../../http/message.ts';
import type { Relay, Relayed } from '../../http/relay.ts';
import { basePath } from '../../http/route.ts';
import { whyUnwritable } from '../../terminal/file-trouble.ts';
import { createOwn, type FileKind, profileFile, rejectUnwritable, writeOwn } from '../../terminal/own-file.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { readVersion } from '../../terminal/version.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

export interface RelayOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly tell: (sentence: string) => void;
  readonly timeoutMs?: number;
}

export interface OpenRelay extends Relay {
  close(): void;
}

const timeoutPresetMs = 30_000;
/** Each may hold a response of eight megabytes. */
const underWayMax = 20;
const findingsMax = 20;
const textMax = 300;

/** Throws a `UsageError` when a variable holds no key, or the record cannot be written. */
export function openRelay(settings: UpstreamSettings, options: RelayOptions): OpenRelay {
  const { baseUrl, forward, record, learn } = settings;
  const { env, now, tell, timeoutMs = timeoutPresetMs } = options;
  const keys = readKeys(settings, env);
  const secrets = settings.keys.map(({ key, variable }) => ({
    value: keys.get(key) as string,
    placeholder: `$${variable}`,
  }));
  const live: Live = openLive({ baseUrl, timeoutMs, secrets, env, now, learns: learn !== null });
  const learning = learn === null ? null : openLearning(learn, live, tell);
  const recording: Recording | null = record === null ? null : openRecording(record, tell);
  const taken = new Set<OperationId>(forward);
  let underWay = 0;

  const ask = async (request: CoreRequest, clientKey: string): Promise<Relayed> => {
    const key = keys.get(clientKey) ?? keys.get(null);
    const path = request.path.slice(basePath.length);
    const url = `${baseUrl}${path}`;
    const rejected = (why: string) => failed({ url, why });
    if (isAmbiguous(path))
      return rejected('its path has a segment "." or "..", and servers differ in how they read it');
    if (key === undefined) return rejected('no key of it belongs to the key of this client; see --upstream-key');
    if (request.headers[forwardedHeader]) return rejected('a mock has forwarded this request already');
    if (underWay >= underWayMax) return rejected(`${underWayMax} requests to it are under way`);
    underWay += 1;
    // Without the parameters that are for the mock (they begin with `__`) or name a method; otherwise unchanged.
    const query = request.query
      .split('&')
      .filter((pair) => !/^(__|(_method|x-http-method-override)(=|$))/i.test(pair))
      .join('&');
    const leaving = new AbortController();
    const stopListening = request.onLeave?.(() => leaving.abort());
    const apiResponse = await live.send({
      method: request.method,
      target: `${path}${query === '' ? '' : `?${query}`}`,
      headers: { ...requestHeaders(request.headers), authorization: `Bearer ${key}`, [forwardedHeader]: '1' },
      body: request.body,
      signal: leaving.signal,
    });
    stopListening?.();
    underWay -= 1;
    recording?.add(apiResponse.harEntry());
    learning?.add();
    if (leaving.signal.aborted) return failed({ url, why: 'the client left, so its request was canceled' });
    return toRelayed(apiResponse, { url, live });
  };
  return {
    takes: (operation) => taken.has(operation),
    send: ask,
    close() {
      live.close();
      recording?.close();
      learning?.write();
    },
  };
}

/** The file is written after 1, 2, 4, 8 requests and so on, then after every 128th, and at the end. */
function openLearning(file: string, live: Live, tell: RelayOptions['tell']) {
  rejectUnwritable('learn', file, profileFile);
  let [seen, written] = [0, 0];
  const write = () => {
    if (seen === written) return;
    written = seen;
    try {
      writeOwn(
        file,
        `${JSON.stringify({ $schema: 'urn:casa-kit:profile', ...live.profile() }, null, 2)}\n`,
        profileFile,
      );
    } catch (error) {
      tell(`${file} ${whyUnwritable(error)}; the profile was not written.`);
    }
  };
  return {
    write,
    add() {
      seen += 1;
      if (seen % 128 === 0 || (seen & (seen - 1)) === 0) write();
    },
  };
}

/** The deployment's keys by those of clients; null is every other client. */
function readKeys({ keys }: UpstreamSettings, env: RelayOptions['env']): ReadonlyMap<string | null, string> {
  return new Map(
    keys.map(({ key, variable }) => {
      const value = env[variable]?.trim();
      if (value === undefined || value === '') {
        throw new UsageError(
          `--upstream needs a key of the deployment in the environment: ${variable} is not set; ` +
            '--upstream-key NAME names another variable.',
        );
      }
      if (!/^[\x21-\x7e]+$/.test(value))
        throw new UsageError(`${variable} holds no key: it has blanks or unexpected characters.`);
      return [key, value] as const;
    }),
  );
}

function toRelayed(apiResponse: LiveResponse, { url, live }: { url: string; live: Live }): Relayed {
  const { exchange, failure } = apiResponse;
  const { redact, redactKeys } = live;
  const findings = apiResponse.findings.slice(0, findingsMax).map(clip);
  const { status } = exchange;
  const ms = Math.round(exchange.receivedAt - exchange.sentAt);
  if (failure) return failed({ url, why: redact(describeFailure(failure)), ms });
  if (status < 200 || status > 599) {
    return failed({ url, why: `its status ${status} is not a valid one`, ms, code: 502 });
  }
  if (!isReadable(apiResponse.body, exchange.headers['content-type'])) {
    return failed({
      url,
      why: 'its body is not text in UTF-8, so a key in it cannot be replaced',
      ms,
      code: 502,
      findings,
    });
  }
  // A response that repeats the key shows it to the client, and to all that the mock keeps of it.
  const text = Buffer.from(apiResponse.body).toString('utf8');
  const shown = redactKeys(text);
  const headers = Object.entries(responseHeaders(exchange.headers))
    .filter(([name]) => redactKeys(name) === name)
    .map(([name, value]) => [name, redactKeys(value)]);
  return {
    response: {
      status,
      headers: { ...Object.fromEntries(headers), 'x-casa-upstream': 'answered' },
      body: shown === text ? apiResponse.body : shown,
    },
    output: shown === text ? outputOf(exchange) : null,
    blockedBy: limiterOf(exchange),
    forwarded: { url, ms, failure: null, findings },
  };
}

/**
 * Text in which a key would be found: JSON is UTF-8 (RFC 8259), and a page of a proxy can have one byte for each
 * character. In UTF-16 or in packed bytes the key has other bytes.
 */
function isReadable(body: Uint8Array, contentType = ''): boolean {
  const charsets = [...contentType.matchAll(/charset\s*=\s*["']?([^"';,\s]*)/gi)].map(([, name = '']) => name);
  if (!charsets.every((name) => /^(utf-?8|(us-)?ascii|iso[-_]?8859-\d+|windows-125\d|latin1)$/i.test(name)))
    return false;
  if (isUtf8(body)) return !body.includes(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: packed bytes have them, and text has none.
  return charsets.length > 0 && !/[\0-\x08\x0e-\x1f]/.test(Buffer.from(body).toString('latin1'));
}

function clip(finding: LiveResponse['findings'][number]): LiveResponse['findings'][number] {
  const { pointer, expected, actual } = finding;
  const short = (text: string) => (text.length <= textMax ? text : `${text.slice(0, textMax)}…`);
  return { ...finding, pointer: short(pointer), expected: short(expected), actual: short(actual) };
}

/**
 * A response that no deployment gives: the contract knows neither the status nor the code, so nobody takes trouble
 * on the way for a response of the service.
 */
function failed({ url, why, ms = 0, code = 504, findings = [] }: Failure): Relayed {
  const message = `${new URL(url).origin} gave the mock no response: ${why}.`;
  const response: CoreResponse = {
    status: code,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-casa-upstream': 'failed' },
    body: JSON.stringify({ error: { code: 'upstream_failed', message } }),
  };
  return { response, output: null, blockedBy: null, forwarded: { url, ms, failure: message, findings } };
}

interface Failure {
  readonly url: string;
  readonly why: string;
  readonly ms?: number;
  readonly code?: 502 | 504;
  readonly findings?: LiveResponse['findings'];
}

function describeFailure({ problem, problemDetail }: NonNullable<LiveResponse['failure']>): string {
  const detail = (problemDetail ?? problem).replaceAll(/\s+/g, ' ').slice(0, textMax);
  switch (problem) {
    case 'refused':
      return `it rejects connections (${detail})`;
    case 'unresolved':
      return `its name cannot be resolved (${detail})`;
    case 'tls':
      return `TLS failed (${detail}); NODE_EXTRA_CA_CERTS=FILE trusts your own certificate authority`;
    case 'not-http':
      return `its response is not HTTP (${detail})`;
    default:
      return detail;
  }
}

/** The page that a poll received, if the body has that form. Violations of the poller are detected by it. */
function outputOf({ operation, status, json }: LiveResponse['exchange']): ListCallsResponse | null {
  if (operation !== 'listCalls' || status !== 200) return null;
  const { data } = (json ?? {}) as Partial<ListCallsResponse>;
  const isPage = Array.isArray(data?.calls) && (data.nextCursor === null || typeof data.nextCursor === 'string');
  return isPage ? (json as ListCallsResponse) : null;
}

/** The limiters have a body of their own. Which of the two it was, their limits tell. Cites 7.envelope.limiter. */
function limiterOf({ status, json, headers }: LiveResponse['exchange']): Relayed['blockedBy'] {
  const { error } = (json ?? {}) as { error?: unknown };
  if (status !== 429 || typeof error !== 'string') return null;
  return headers['x-ratelimit-limit'] === String(keyWindow.limit) ? 'key' : 'address';
}

// The parts of a request and of its response that pass between client and deployment. Both lists name what passes: an
// unknown header may change the method or path for a server of the deployment, or what a browser does with the mock.

/** Without `Authorization`, which is replaced, and anything about the mock, its page or the client's address. */

const ofRequests: ReadonlySet<string> = new Set(
  (
    'accept accept-language baggage cache-control content-encoding content-type idempotency-key if-match ' +
    'if-modified-since if-none-match if-unmodified-since pragma sentry-trace traceparent tracestate ' +
    'user-agent x-correlation-id x-request-id'
  ).split(' '),
);

/** Lengths, encodings and CORS are the mock's own. */
const ofResponses: ReadonlySet<string> = new Set(
  (
    'age allow cache-control content-language content-type date deprecation etag expires last-modified ' +
    'location retry-after server-timing sunset x-correlation-id x-request-id'
  ).split(' '),
);
const ofLimits = /^(x-)?ratelimit(-|$)/;

/** A response of the deployment is data: no browser may take it for a page of the mock. */
const harmless = { 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" };

/** Marks what a mock has forwarded, so two mocks that name each other do not ask in a circle. */
const forwardedHeader = 'x-casa-forwarded';

function requestHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return only(headers, (name) => ofRequests.has(name));
}

function responseHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { ...only(headers, (name) => ofResponses.has(name) || ofLimits.test(name)), ...harmless };
}

/** `Connection` names headers that end at each station (RFC 9110, 7.6.1). */
function only(
  headers: Readonly<Record<string, string | undefined>>,
  passes: (name: string) => boolean,
): Record<string, string> {
  const dropped = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && passes(name) && !dropped.includes(name)) kept[name] = value;
  }
  return kept;
}

/**
 * Whether a server might read the path as another one: a segment is `.` or `..`, plain or encoded up to three times,
 * between slashes or backslashes, with parameters or without.
 */
function isAmbiguous(path: string): boolean {
  let text = path;
  for (let times = 0; times <= 3; times += 1) {
    if (/(^|[/\\])\.\.?(;[^/\\]*)?([/\\]|$)/.test(text)) return true;
    text = text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  }
  return false;
}

// `--record FILE`: what passes between mock and deployment, as a HAR that `conformance har` reads. The file is whole
// after each entry, so a killed mock leaves a good one.

/** As much as `conformance har` takes. */
const recordLimits = { entries: 20_000, bytes: 200_000_000 };

interface Recording {
  add(entry: object): void;
  close(): void;
}

const end = ']}}\n';

/** Begins the file again. `tell` hears once why nothing more is recorded. */
export function openRecording(
  file: string,
  tell: (sentence: string) => void,
  limits: typeof recordLimits = recordLimits,
): Recording {
  const creator = { name: 'casa mock', version: readVersion() };
  const head = `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"pages":[],"entries":[`;
  const handle = openFile(file, head + end);
  let position = Buffer.byteLength(head);
  let [entries, isOpen] = [0, true];
  const stop = (why: string) => {
    isOpen = false;
    closeSync(handle);
    tell(`${file} ${why}; later requests are not recorded.`);
  };
  return {
    add(entry) {
      if (!isOpen) return;
      const bytes = Buffer.from(`${entries === 0 ? '' : ','}\n${JSON.stringify(entry)}`);
      const isFull = entries >= limits.entries || position + bytes.length + end.length > limits.bytes;
      if (isFull) return stop('is full');
      try {
        // In one piece, over the end of the one before.
        writeSync(handle, Buffer.concat([bytes, Buffer.from(end)]), 0, undefined, position);
      } catch (error) {
        return stop(whyUnwritable(error));
      }
      position += bytes.length;
      entries += 1;
    },
    close() {
      if (isOpen) closeSync(handle);
      isOpen = false;
    },
  };
}

const recordFile: FileKind = {
  name: 'recording of casa mock',
  start: /^\{"log":\{"version":"1\.2","creator":\{"name":"casa mock"/,
  isPrivate: true,
};

function openFile(file: string, text: string): number {
  try {
    return createOwn(file, text, recordFile);
  } catch (error) {
    throw new UsageError(`--record: ${file} ${whyUnwritable(error)}.`);
  }
}
