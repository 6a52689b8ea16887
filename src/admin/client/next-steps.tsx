// The steps from a logged request to the next one: as a fault, as an edited response or request, as code.

import { useState } from 'preact/hooks';
import { jsonOrText, parseJson } from '../../contract/json.ts';
import { networkFaults } from '../../domain/faults.ts';
import { curlArguments } from '../../terminal/curl.ts';
import { fetchFrom, Rejection, rootPath } from './control-plane.ts';
import { Act, BodyField, Copy, Field, type Fields, Form } from './parts.tsx';
import { isLost } from './request-log-rows.ts';
import type { LoggedRequest, Organization } from './responses.ts';
import { useApp, useAppState } from './use-app.ts';

/** The delay of "Delay", which is easy to notice. */
const delayMs = 2000;

export function NextSteps({ record, open }: { record: LoggedRequest; open: (id: number) => void }) {
  const app = useApp();
  const { health, organizations } = useAppState();
  const keys = organizations.flatMap((organization) => organization.keys.map(({ key }) => key));
  const origin = health?.baseUrl.replace(/\/api\/v1$/, '') ?? location.origin;
  const { id, operation, tool, response } = record;
  const target = tool ?? operation;
  const add = async (effects: object, told: string) => {
    await app.ask('POST', '/faults', { match: { operation: target }, ...effects });
    app.tell(told);
  };
  const replay = async () => open((await app.ask<LoggedRequest>('POST', `/requests/${id}/replay`)).id);
  const again = isLost(response.network)
    ? { network: response.network, times: 1 }
    : { respond: { status: response.status, body: parsed(response.body ?? '') }, times: 1 };
  return (
    <div class="next-steps">
      <p class="row">
        {target && (isLost(response.network) || (response.status >= 400 && !response.bodyCut)) && (
          <Act id="fail-next" does={() => add(again, `The next ${target} returns this response.`)}>
            Fail the next one like this
          </Act>
        )}
        {target && (
          <Act
            id="delay"
            does={() => add({ latencyMs: delayMs }, `Each ${target} takes ${delayMs / 1000} s. See Faults.`)}
          >
            Delay {target}
          </Act>
        )}
        <Act id="replay" does={replay} label="Replay: send this request again, without checks of the client">
          Replay
        </Act>
        {app.hasServer && (
          <Copy text={curlOf(record, origin, keys)} label="Copy as a curl command">
            Copy as curl
          </Copy>
        )}
        <Copy text={fetchOf(record, origin, keys)} label="Copy as JavaScript">
          Copy as fetch
        </Copy>
        <Copy text={testOf(record, organizations)} label="Copy as a test for vitest">
          Copy as test
        </Copy>
      </p>
      {target && <EditResponse key={`response ${id}`} record={record} add={add} target={target} />}
      {!tool && <EditRequest key={`request ${id}`} record={record} keys={keys} />}
    </div>
  );
}

/** A text that is not JSON is sent as is. */
const parsed = (text: string) => parseJson(text, text);

/** The same, except for a text that was meant as JSON. */
const edited = (text: string) => {
  try {
    return jsonOrText(text);
  } catch (error) {
    throw new Rejection(400, `The body ${(error as Error).message}`);
  }
};

const pretty = (text: string | null) => {
  const value = parsed(text ?? '');
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
};

interface EditResponseProps {
  readonly record: LoggedRequest;
  readonly target: string;
  readonly add: (effects: object, told: string) => Promise<void>;
}

function EditResponse({ record: { response }, target, add }: EditResponseProps) {
  const submit = async ({ status, body = '', once }: Fields) => {
    const respond = { status: Number(status), body: edited(body) };
    await add({ respond, ...(once && { times: 1 }) }, `${target} returns the edited response. See Faults.`);
  };
  return (
    <details>
      <summary>Edit this response</summary>
      <Form id="edit-response" submit={submit} send="Return this">
        <Field label="Status" name="status" type="number" min="200" max="599" defaultValue={String(response.status)} />
        <Field label="Next request only" name="once" type="checkbox" defaultChecked />
        <BodyField text={pretty(response.body)} />
      </Form>
    </details>
  );
}

function EditRequest({ record: { request, key }, keys }: { record: LoggedRequest; keys: readonly string[] }) {
  const [status, setStatus] = useState<number | null>(null);
  const whole = wholeKey(key, keys) ?? keys[0] ?? '';
  const path = request.path + (request.query && `?${request.query}`);
  const submit = async ({ target = '', key: sent = '', body }: Fields) => {
    const headers = { authorization: `Bearer ${sent}`, 'content-type': 'application/json' };
    setStatus((await fetchFrom(rootPath() + target, { method: request.method, headers, body: body ?? null })).status);
  };
  return (
    <details>
      <summary>Edit and resend</summary>
      <Form id="edit-request" submit={submit} send={request.method === 'GET' ? 'Send' : `Send ${request.method}`}>
        <Field isWhole label="Path and query" name="target" class="mono" defaultValue={path} />
        <Field isWhole label="Key" name="key" class="mono" defaultValue={whole} />
        {request.method !== 'GET' && <BodyField text={pretty(request.body)} />}
      </Form>
      {status !== null && <output class="mono">{status}</output>}
    </details>
  );
}

// A request of the request log as code that sends it again: for a shell, in JavaScript and as a test.

/** What curl, or the connection, writes by itself. */
const ownHeaders =
  /^(host|content-length|connection|accept-encoding|user-agent|sec-.*|origin|referer|x-casa-replay-of)$/;

/** `keys` are those of the mock: the request log has the last characters only. */
export function curlOf({ request, key }: LoggedRequest, origin: string, keys: readonly string[]): string {
  const whole = wholeKey(key, keys) ?? '$CASA_API_KEY';
  const headers = Object.entries(request.headers)
    .filter(([name]) => !ownHeaders.test(name))
    .map(([name, value]) =>
      name === 'authorization' && key !== null
        ? ([name, `Bearer ${whole}`, /\$CASA_API_KEY/g] as const)
        : ([name, value] as const),
    );
  const url = `${origin}${request.path}${request.query === '' ? '' : `?${request.query}`}`;
  return ['curl', ...curlArguments({ method: request.method, url, headers, body: request.body })].join(' \\\n  ');
}

function wholeKey(key: string | null, keys: readonly string[]): string | undefined {
  return keys.find((known) => key !== null && isKey(known, key));
}

/** The request log has the end of a key only. */
const isKey = (known: string, logged: string) => known.slice(-4) === logged.slice(-4);

const quote = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Headers that change the response; the others are those of the client that sent the request. */
const meantHeaders = /^(accept|content-type|prefer|mcp-.*)$/;

/** The arguments of `fetch` after the URL; `authorization` is code, or null for a request without a key. */
function initOf({ request }: LoggedRequest, authorization: string | null, more: readonly string[] = []): string {
  const own = Object.entries(request.headers).filter(([name, value]) => meantHeaders.test(name) && value !== '*/*');
  const headers = Object.entries({
    ...(request.body ? { 'content-type': 'application/json' } : {}),
    ...Object.fromEntries(own),
  });
  const parts = [
    ...(authorization === null ? [] : [`authorization: ${authorization}`]),
    ...headers.map(([name, value]) => `${/\W/.test(name) ? quote(name) : name}: ${quote(value)}`),
  ];
  const lines = [
    ...(request.method === 'GET' ? [] : [`method: ${quote(request.method)},`]),
    ...(parts.length === 0 ? [] : [`headers: { ${parts.join(', ')} },`]),
    ...(request.body ? [`body: ${quote(request.body)},`] : []),
    ...more,
  ];
  return `{\n${lines.map((line) => `  ${line}\n`).join('')}}`;
}

const targetOf = ({ request: { path, query } }: LoggedRequest) => path + (query === '' ? '' : `?${query}`);

export function fetchOf(record: LoggedRequest, origin: string, keys: readonly string[]): string {
  const key = wholeKey(record.key, keys);
  const authorization = key === undefined ? `\`Bearer \${process.env.CASA_API_KEY}\`` : quote(`Bearer ${key}`);
  return `const response = await fetch(${quote(origin + targetOf(record))}, ${initOf(record, authorization)});\n`;
}

/** The key of the test's own mock for the key of the request, as code; null without a key. */
function keyInTest({ key, request }: LoggedRequest, organizations: readonly Organization[]): string | null {
  if (key === null) return request.headers.authorization === undefined ? null : quote('not a bearer key');
  const at = organizations.findIndex((organization) => organization.keys.some((one) => isKey(one.key, key)));
  const isRevoked = organizations[at]?.keys.some((one) => one.revoked && isKey(one.key, key));
  if (at === -1 && organizations.length > 0) return quote('Bearer unknown-key');
  return `\`Bearer \${casa.keys.${isRevoked ? 'revoked' : at === 1 ? 'second' : 'good'}}\``;
}

/** JSON is a literal of JavaScript too. */
function literalOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return quote(text);
  }
}

/** The statement that forces the response in a test; empty where the request alone brings it about. */
function forceOf({ response, operation, tool, fault, blockedBy }: LoggedRequest): string {
  const isWish = fault === 'Prefer' || fault === 'query';
  if (isWish || (fault === null && blockedBy === null)) return '';
  const target = tool ?? operation;
  const { 'x-casa-fault': kind = `limiter_${blockedBy}`, 'retry-after': wait } = response.headers;
  if (kind === 'respond') {
    const headers = wait === undefined ? '' : `, headers: { 'retry-after': ${quote(wait)} }`;
    const body = response.bodyCut || response.body === null ? '' : `, body: ${literalOf(response.body)}`;
    const custom = `{ status: ${response.status}${headers}${body} }`;
    return `  casa.respond(${quote(target ?? '*')}, ${custom}, { times: 1 });\n`;
  }
  const isError = kind !== 'latency' && !networkFaults.some((name) => name === kind);
  const effects = [
    `match: { ${target === null ? '' : `operation: ${quote(target)} `}}`,
    ...(isError ? [`error: ${quote(kind)}`] : []),
    ...(isError && response.status === 429 ? [`retryAfterS: ${Number(wait) || null}`] : []),
    ...(response.network ? [`network: ${quote(response.network)}`] : []),
    ...(response.latencyMs ? [`latencyMs: ${response.latencyMs}`] : []),
  ];
  return `  casa.faults.add({ ${effects.join(', ')}, times: 1 });\n`;
}

/** A test of a response that does not come waits no longer. */
const waitMs = 1000;

/** A forced error is forced in the test too. */
export function testOf(record: LoggedRequest, organizations: readonly Organization[] = []): string {
  const { request, response } = record;
  const { network, latencyMs } = response;
  const more = network === 'timeout' ? [`signal: AbortSignal.timeout(${(latencyMs ?? 0) + waitMs}),`] : [];
  const init = initOf(record, keyInTest(record, organizations), more).replaceAll('\n', '\n  ');
  const call = `casa.fetch(${quote(targetOf(record))}, ${init})`;
  const outcome = isLost(network)
    ? `  await expect(${call}).rejects.toThrow();\n`
    : `  const response = await ${call};\n  expect(response.status).toBe(${response.status});\n`;
  const rest = network === 'truncated' ? '  await expect(response.text()).rejects.toThrow();\n' : '';
  const result = isLost(network) ? 'gets no response' : `returns ${response.status}`;
  // vitest ends a test after five seconds.
  const limit = latencyMs ? `, ${latencyMs + 5 * waitMs}` : '';
  return `import { casaTest } from 'casa-kit/vitest';
import { expect } from 'vitest';

casaTest(${quote(`${request.method} ${request.path} ${result}`)}, async ({ casa }) => {
${forceOf(record)}${outcome}${rest}}${limit});
`;
}
