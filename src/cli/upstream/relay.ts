// The way from the mock to a deployment: the client's key becomes the deployment's, the response comes back as it is,
// and the kit's rules judge it. This is the one file of the mock that knows the kit.
import { type Live, type LiveResponse, openLive } from '../../../conformance/live.ts';
import { keyWindow } from '../../contract/generated/limits.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import type { ListCallsResponse } from '../../contract/generated/types.ts';
import type { CoreRequest, CoreResponse } from '../../http/message.ts';
import type { Relay, Relayed } from '../../http/relay.ts';
import { basePath } from '../../http/route.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { forwardedHeader, isAmbiguous, requestHeaders, responseHeaders, targetQuery } from './headers.ts';
import { openRecording, type Recording } from './record.ts';
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
  const { baseUrl, forward, record } = settings;
  const { env, now, tell, timeoutMs = timeoutPresetMs } = options;
  const keys = readKeys(settings, env);
  const secrets = settings.keys.map(({ key, variable }) => ({
    value: keys.get(key) as string,
    placeholder: `$${variable}`,
  }));
  const live: Live = openLive({ baseUrl, timeoutMs, secrets, env, now });
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
    const query = targetQuery(request.query);
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
    if (leaving.signal.aborted) return failed({ url, why: 'the client left, so its request was canceled' });
    return toRelayed(apiResponse, { url, redact: live.redact });
  };
  return {
    takes: (operation) => taken.has(operation),
    send: ask,
    close() {
      live.close();
      recording?.close();
    },
  };
}

/** The deployment's keys by those of clients; null stands for every other client. */
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

function toRelayed(apiResponse: LiveResponse, { url, redact }: { url: string; redact: Live['redact'] }): Relayed {
  const { exchange, failure, findings } = apiResponse;
  const { status } = exchange;
  const ms = Math.round(exchange.receivedAt - exchange.sentAt);
  if (failure) return failed({ url, why: redact(describeFailure(failure)), ms });
  if (status < 200 || status > 599) {
    return failed({ url, why: `its status ${status} is not a valid one`, ms, code: 502 });
  }
  // A response that repeats the key shows it to the client, and to all that the mock keeps of it.
  const text = Buffer.from(apiResponse.body).toString('utf8');
  const shown = redact(text);
  const headers = Object.entries(responseHeaders(exchange.headers)).map(([name, value]) => [name, redact(value)]);
  return {
    response: {
      status,
      headers: { ...Object.fromEntries(headers), 'x-casa-upstream': 'answered' },
      body: shown === text ? apiResponse.body : shown,
    },
    output: shown === text ? outputOf(exchange) : null,
    blockedBy: limiterOf(exchange),
    forwarded: { url, ms, failure: null, findings: findings.slice(0, findingsMax).map(clip) },
  };
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
function failed({ url, why, ms = 0, code = 504 }: Failure): Relayed {
  const message = `${new URL(url).origin} gave the mock no response: ${why}.`;
  const response: CoreResponse = {
    status: code,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-casa-upstream': 'failed' },
    body: JSON.stringify({ error: { code: 'upstream_failed', message } }),
  };
  return { response, output: null, blockedBy: null, forwarded: { url, ms, failure: message, findings: [] } };
}

interface Failure {
  readonly url: string;
  readonly why: string;
  readonly ms?: number;
  readonly code?: 502 | 504;
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

/** The page that a poll got a response with, where it has the form of one: violations on the poller go by it. */
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
