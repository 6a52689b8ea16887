// Sends an operation to the mock and shows the response.
import { useState } from 'preact/hooks';
import { type BasisTable, readBasis } from '../../contract/basis.ts';
import { errorExamples } from '../../contract/generated/errors.ts';
import { BasisOfFields } from './basis.tsx';
import { rootPath } from './control-plane.ts';
import { BodyField, Field, type Fields, Form, Json, Listed } from './parts.tsx';
import type { Operation, Parameter } from './reference.ts';
import { statusClass } from './request-log-row.tsx';
import { useAppState } from './use-app.ts';

interface Told {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly basis: BasisTable;
}

/** What is shown of a response: a page of a hundred articles is shorter. */
const shownMax = 100_000;

export function TryIt({ operation }: { operation: Operation }) {
  const { organizations } = useAppState();
  const [told, setTold] = useState<Told | null>(null);
  const keys = organizations.flatMap((organization) => organization.keys);
  const accounts = organizations[0]?.accounts ?? [];
  const first = keys[0]?.key;
  const submit = async (fields: Fields) => setTold(await send(operation, fields));
  const list = `accounts-${operation.id}`;
  return (
    <details class="try">
      <summary>Try it on this mock</summary>
      <Form submit={submit} send="Send">
        <Field label="API key" name="key" list={`keys-${operation.id}`} key={first} defaultValue={first ?? ''} />
        <datalist id={`keys-${operation.id}`}>
          {keys.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </datalist>
        {operation.parameters.map((parameter) => (
          <ParameterField key={parameter.name} parameter={parameter} list={list} first={accounts[0]?.accountId} />
        ))}
        <datalist id={list}>
          {accounts.map(({ accountId, label, provider }) => (
            <option key={accountId} value={accountId}>
              {label} ({provider})
            </option>
          ))}
        </datalist>
        <Listed label="Response" name="example" none="the real response" values={Object.keys(errorExamples)} />
        {operation.body && <BodyField text={JSON.stringify(operation.body.example, null, 2)} />}
      </Form>
      {told && <Exchanged told={told} />}
    </details>
  );
}

interface ParameterProps {
  readonly parameter: Parameter;
  readonly list: string;
  readonly first: string | undefined;
}

function ParameterField({ parameter: { name, required, place }, list, first = '' }: ParameterProps) {
  const known = name === 'accountId' ? { list, defaultValue: first } : {};
  return <Field label={`${name} (${place})`} name={`${place} ${name}`} required={required} key={first} {...known} />;
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

async function send({ method, path, parameters, body }: Operation, fields: Fields): Promise<Told> {
  const given = ({ place, name }: Parameter) => fields[`${place} ${name}`] ?? '';
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(fields[`path ${name}`] ?? ''));
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.place === 'query' && given(parameter) !== '')
      .map((parameter) => [parameter.name, given(parameter)]),
  );
  const response = await fetch(`${rootPath()}/api/v1${filled}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers: {
      authorization: `Bearer ${fields.key ?? ''}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      prefer: fields.example === undefined ? 'basis' : `basis, example=${fields.example}`,
    },
    body: body ? (fields.body ?? '') : null,
  });
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => /^(x-(?!casa-basis)|retry)/.test(name)),
    basis: readBasis(response.headers.get('x-casa-basis') ?? ''),
    body: (await response.text()).slice(0, shownMax),
  };
}
