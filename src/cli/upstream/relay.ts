// The way from the mock to a deployment: the client's key becomes the deployment's, the answer comes back as it is, and
// the kit's rules judge it. This is the one file of the mock that knows the kit.
import { type Live, type LiveAnswer, openLive } from '../../../conformance/live.ts';
import { keyWindow } from '../../contract/generated/limits.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import type { ListCallsResponse } from '../../contract/generated/types.ts';
import type { CoreRequest, CoreResponse } from '../../http/message.ts';
import type { Relay, Relayed } from '../../http/relay.ts';
import { basePath } from '../../http/route.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { forwardedHeader, requestHeaders, responseHeaders, targetQuery } from './headers.ts';
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
/** Each may hold an answer of eight megabytes. */
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
    const url = `${baseUrl}${request.path.slice(basePath.length)}`;
    const refused = (why: string) => failed(url, why, 0);
    if (key === undefined) return refused('no key of it belongs to the key of this client; see --upstream-key');
    if (request.headers[forwardedHeader]) return refused('a mock has forwarded this request already');
    if (underWay >= underWayMax) return refused(`${underWayMax} requests to it are under way`);
    underWay += 1;
    const query = targetQuery(request.query);
    const answer = await live.send({
      method: request.method,
      target: `${request.path.slice(basePath.length)}${query === '' ? '' : `?${query}`}`,
      headers: { ...requestHeaders(request.headers), authorization: `Bearer ${key}`, [forwardedHeader]: '1' },
      body: request.body,
    });
    underWay -= 1;
    recording?.add(answer.harEntry());
    return toRelayed(answer, { url, key, clientKey });
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
        throw new UsageError(`${variable} holds no key: it has blanks or odd characters.`);
      return [key, value] as const;
    }),
  );
}

interface Asked {
  readonly url: string;
  readonly key: string;
  readonly clientKey: string;
}

function toRelayed(answer: LiveAnswer, { url, key, clientKey }: Asked): Relayed {
  const { exchange, failure, findings } = answer;
  const ms = Math.round(exchange.receivedAt - exchange.sentAt);
  if (failure) return failed(url, describeFailure(failure), ms);
  // Whoever repeats a key tells it to the client, which has another one.
  const hide = (text: string) => text.replaceAll(key, clientKey);
  const headers = Object.fromEntries(
    Object.entries(responseHeaders(exchange.headers)).map(([name, value]) => [name, hide(value)]),
  );
  const holdsKey = Buffer.from(answer.body).includes(key);
  const body = holdsKey ? hide(Buffer.from(answer.body).toString('utf8')) : answer.body;
  return {
    response: { status: exchange.status, headers: { ...headers, 'x-casa-upstream': 'answered' }, body },
    output: outputOf(exchange),
    blockedBy: limiterOf(exchange),
    forwarded: { url, ms, failure: null, findings: findings.slice(0, findingsMax).map(clip) },
  };
}

function clip(finding: LiveAnswer['findings'][number]): LiveAnswer['findings'][number] {
  const { pointer, expected, actual } = finding;
  const short = (text: string) => (text.length <= textMax ? text : `${text.slice(0, textMax)}…`);
  return { ...finding, pointer: short(pointer), expected: short(expected), actual: short(actual) };
}

/**
 * An answer that no deployment gives: the contract knows neither the status nor the code, so that nobody takes trouble
 * on the way for an answer of the service.
 */
function failed(url: string, why: string, ms: number): Relayed {
  const message = `${new URL(url).origin} gave the mock no answer: ${why}.`;
  const response: CoreResponse = {
    status: 504,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-casa-upstream': 'failed' },
    body: JSON.stringify({ error: { code: 'upstream_failed', message } }),
  };
  return { response, output: null, blockedBy: null, forwarded: { url, ms, failure: message, findings: [] } };
}

function describeFailure({ problem, problemDetail }: NonNullable<LiveAnswer['failure']>): string {
  const detail = (problemDetail ?? problem).replaceAll(/\s+/g, ' ').slice(0, textMax);
  switch (problem) {
    case 'refused':
      return `it refuses connections (${detail})`;
    case 'unresolved':
      return `its name cannot be resolved (${detail})`;
    case 'tls':
      return `TLS failed (${detail}); NODE_EXTRA_CA_CERTS=FILE trusts an authority of your own`;
    case 'not-http':
      return `what it sends is not HTTP (${detail})`;
    default:
      return detail;
  }
}

/** The page that a poll was answered with, where it has the form of one: verdicts on the poller go by it. */
function outputOf({ operation, status, json }: LiveAnswer['exchange']): ListCallsResponse | null {
  if (operation !== 'listCalls' || status !== 200) return null;
  const { data } = (json ?? {}) as Partial<ListCallsResponse>;
  const isPage = Array.isArray(data?.calls) && (data.nextCursor === null || typeof data.nextCursor === 'string');
  return isPage ? (json as ListCallsResponse) : null;
}

/** The limiters have a body of their own. Which of the two it was, their limits tell. Cites 7.envelope.limiter. */
function limiterOf({ status, json, headers }: LiveAnswer['exchange']): Relayed['blockedBy'] {
  const { error } = (json ?? {}) as { error?: unknown };
  if (status !== 429 || typeof error !== 'string') return null;
  return headers['x-ratelimit-limit'] === String(keyWindow.limit) ? 'key' : 'address';
}
