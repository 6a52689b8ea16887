// Sends an operation to the mock and shows the response.
import { useState } from 'preact/hooks';
import { type BasisTable, readBasis } from '../../contract/basis.ts';
import { errorExamples } from '../../contract/generated/errors.ts';
import { BasisOfFields } from './basis.tsx';
import { rootPath } from './control-plane.ts';
import { Json } from './parts.tsx';
import type { Operation, Parameter } from './reference.ts';
import { statusClass } from './request-log-row.tsx';
import { useApp, useAppState } from './use-app.ts';

interface Told {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly basis: BasisTable;
}

/** What is shown of a response: a page of a hundred articles is shorter. */
const shownMax = 100_000;

export function TryIt({ operation }: { operation: Operation }) {
  const app = useApp();
  const { organizations } = useAppState();
  const [told, setTold] = useState<Told | null>(null);
  const keys = organizations.flatMap((organization) => organization.keys);
  const accounts = organizations[0]?.accounts ?? [];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    app.act(async () => setTold(await send(operation, form)));
  };
  const list = `accounts-${operation.id}`;
  return (
    <details class="try">
      <summary>Try it on this mock</summary>
      <form class="grid" onSubmit={submit}>
        <label>
          <span>API key</span>
          <input name="key" list={`keys-${operation.id}`} key={keys[0]?.key} defaultValue={keys[0]?.key ?? ''} />
        </label>
        <datalist id={`keys-${operation.id}`}>
          {keys.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </datalist>
        {operation.parameters.map((parameter) => (
          <Field key={parameter.name} parameter={parameter} list={list} first={accounts[0]?.accountId} />
        ))}
        <datalist id={list}>
          {accounts.map(({ accountId, label, provider }) => (
            <option key={accountId} value={accountId}>
              {label} ({provider})
            </option>
          ))}
        </datalist>
        <label>
          <span>Response</span>
          <select name="example">
            <option value="">the real response</option>
            {Object.keys(errorExamples).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {operation.body && (
          <label class="whole">
            <span>Body</span>
            <textarea
              name="body"
              rows={6}
              class="mono"
              defaultValue={JSON.stringify(operation.body.example, null, 2)}
            />
          </label>
        )}
        <button type="submit" class="primary">
          Send
        </button>
      </form>
      {told && <Exchanged told={told} />}
    </details>
  );
}

interface FieldProps {
  readonly parameter: Parameter;
  readonly list: string;
  readonly first: string | undefined;
}

function Field({ parameter: { name, required, place }, list, first }: FieldProps) {
  const isAccount = name === 'accountId';
  return (
    <label>
      <span>
        {name} ({place})
      </span>
      <input
        name={`${place} ${name}`}
        required={required}
        list={isAccount ? list : undefined}
        key={isAccount ? first : undefined}
        defaultValue={isAccount ? (first ?? '') : ''}
      />
    </label>
  );
}

function Exchanged({ told: { status, headers, body, basis } }: { told: Told }) {
  return (
    <div class="response" role="status">
      <p>
        <strong class={`mono ${statusClass(status)}`}>{status}</strong>{' '}
        <span class="soft mono">{headers.map(([name, value]) => `${name}: ${value}`).join(' · ')}</span>
      </p>
      <Json text={body} basis={basis} />
      <BasisOfFields basis={basis} />
    </div>
  );
}

async function send({ method, path, parameters, body }: Operation, form: FormData): Promise<Told> {
  const given = ({ place, name }: Parameter) => String(form.get(`${place} ${name}`) ?? '');
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(form.get(`path ${name}`) ?? '')));
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.place === 'query' && given(parameter) !== '')
      .map((parameter) => [parameter.name, given(parameter)]),
  );
  const example = String(form.get('example'));
  const response = await fetch(`${rootPath()}/api/v1${filled}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers: {
      authorization: `Bearer ${form.get('key')}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      prefer: example === '' ? 'basis' : `basis, example=${example}`,
    },
    body: body ? String(form.get('body')) : null,
  });
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => /^(x-(?!casa-basis)|retry)/.test(name)),
    basis: readBasis(response.headers.get('x-casa-basis') ?? ''),
    body: (await response.text()).slice(0, shownMax),
  };
}
