// The steps from a logged request to the next one: as a fault, as an edited response or request, as code.

import { useState } from 'preact/hooks';
import { jsonOrText, parseJson } from '../../contract/json.ts';
import { curlArguments } from '../../terminal/curl.ts';
import { Rejection, rootPath } from './control-plane.ts';
import { Act, BodyField, Copy, Field, type Fields, Form } from './parts.tsx';
import type { LoggedRequest } from './responses.ts';
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
  const again = { respond: { status: response.status, body: parsed(response.body ?? '') }, times: 1 };
  return (
    <div class="next-steps">
      <p class="row">
        {target && response.status >= 400 && !response.bodyCut && (
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
        <Copy text={curlOf(record, origin, keys)} label="Copy as a curl command">
          Copy as curl
        </Copy>
        <Copy text={fetchOf(record, origin, keys)} label="Copy as JavaScript">
          Copy as fetch
        </Copy>
        <Copy text={testOf(record)} label="Copy as a test for vitest">
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
    setStatus((await fetch(rootPath() + target, { method: request.method, headers, body: body ?? null })).status);
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
  return keys.find((known) => key !== null && known.slice(-4) === key.slice(-4));
}

const quote = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** The arguments of `fetch` after the URL; `authorization` is code. */
function initOf({ request }: LoggedRequest, authorization: string): string {
  const type = request.body ? ", 'content-type': 'application/json'" : '';
  const lines = [
    ...(request.method === 'GET' ? [] : [`method: ${quote(request.method)},`]),
    `headers: { authorization: ${authorization}${type} },`,
    ...(request.body ? [`body: ${quote(request.body)},`] : []),
  ];
  return `{\n${lines.map((line) => `  ${line}\n`).join('')}}`;
}

const targetOf = ({ request: { path, query } }: LoggedRequest) => path + (query === '' ? '' : `?${query}`);

export function fetchOf(record: LoggedRequest, origin: string, keys: readonly string[]): string {
  const key = wholeKey(record.key, keys);
  const authorization = key === undefined ? `\`Bearer \${process.env.CASA_API_KEY}\`` : quote(`Bearer ${key}`);
  return `const response = await fetch(${quote(origin + targetOf(record))}, ${initOf(record, authorization)});\n`;
}

/** JSON is a literal of JavaScript too. */
function literalOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return quote(text);
  }
}

/** A forced error is forced in the test too. */
export function testOf(record: LoggedRequest): string {
  const { request, response, operation, fault, blockedBy } = record;
  const isForced = operation !== null && (fault !== null || blockedBy !== null) && !response.bodyCut;
  const body = isForced ? `, body: ${literalOf(response.body ?? '')}` : '';
  const respond = `  casa.respond('${operation}', { status: ${response.status}${body} }, { times: 1 });\n`;
  const init = initOf(record, `\`Bearer \${casa.keys.good}\``).replaceAll('\n', '\n  ');
  return `import { casaTest } from 'casa-kit/vitest';
import { expect } from 'vitest';

casaTest(${quote(`${request.method} ${request.path} returns ${response.status}`)}, async ({ casa }) => {
${isForced ? respond : ''}  const response = await casa.fetch(${quote(targetOf(record))}, ${init});
  expect(response.status).toBe(${response.status});
});
`;
}
