// Sends an operation to the mock and shows the response.
import { useState } from 'preact/hooks';
import { type BasisTable, readBasis } from '../../contract/basis.ts';
import { errorExamples } from '../../contract/generated/errors.ts';
import { BasisOfFields } from './basis.tsx';
import { fetchFrom, rootPath } from './control-plane.ts';
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
  const [id, setId] = useState('');
  const submit = async (fields: Fields) => setTold(await send(operation, fields));
  const loadId = () => firstId(operation, first, accounts[0]?.accountId).then(setId, () => {});
  const list = `accounts-${operation.id}`;
  return (
    <details class="try" onToggle={({ currentTarget }) => currentTarget.open && id === '' && loadId()}>
      <summary>Try it on this mock</summary>
      <Form submit={submit} send="Send">
        <Field
          isWhole
          class="mono"
          label="API key"
          name="key"
          list={`keys-${operation.id}`}
          key={first}
          defaultValue={first ?? ''}
        />
        <datalist id={`keys-${operation.id}`}>
          {keys.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </datalist>
        {operation.parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            list={list}
            first={parameter.name === 'accountId' ? accounts[0]?.accountId : id}
          />
        ))}
        <datalist id={list}>
          {accounts.map(({ accountId, label, provider }) => (
            <option key={accountId} value={accountId}>
              {label} ({provider})
            </option>
          ))}
        </datalist>
        <Listed label="Response" name="example" none="real response" values={Object.keys(errorExamples)} />
        {operation.body && <BodyField text={JSON.stringify(bodyOf(operation), null, 2)} />}
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
  const known =
    place === 'path'
      ? { defaultValue: first, isWhole: true, class: 'mono', ...(name === 'accountId' && { list }) }
      : {};
  return <Field label={`${name} (${place})`} name={`${place} ${name}`} required={required} key={first} {...known} />;
}

/** The example without the ids of the path, which replace those of the body. */
function bodyOf({ parameters, body }: Operation): object {
  const inPath = new Set(parameters.filter(({ place }) => place === 'path').map(({ name }) => name));
  return Object.fromEntries(Object.entries(body?.example ?? {}).filter(([name]) => !inPath.has(name)));
}

/** The id of the first record that the path can name, from the list above it; empty for an account, or without one. */
async function firstId({ path, parameters }: Operation, key = '', accountId = ''): Promise<string> {
  const name = parameters.findLast(({ place }) => place === 'path')?.name ?? 'accountId';
  if (name === 'accountId') return '';
  const list = path.slice(0, path.indexOf(`/{${name}}`)).replace('{accountId}', encodeURIComponent(accountId));
  const response = await fetchFrom(`${rootPath()}/api/v1${list}`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await response.json()) as { data: object };
  const [record] = [data, ...Object.values(data)].find(Array.isArray) ?? [];
  return String(record?.[name] ?? record?.id ?? '');
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
  const response = await fetchFrom(`${rootPath()}/api/v1${filled}${query.size > 0 ? `?${query}` : ''}`, {
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
