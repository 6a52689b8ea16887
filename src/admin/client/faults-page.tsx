// Faults: a table of all responses on demand, active faults, and custom faults.
import { useState } from 'preact/hooks';
import { errorExamples } from '../../contract/generated/errors.ts';
import { operations } from '../../contract/generated/operations.ts';
import { tools } from '../../contract/generated/tools.ts';
import { gatewayErrors, networkFaults } from '../../domain/faults.ts';
import { Act, Card, Choice, Empty, Field, type Fields, Form, Head, Listed, Switch } from './parts.tsx';
import { statusClass } from './request-log-row.tsx';
import type { Fault } from './responses.ts';
import { useApp, useAppState } from './use-app.ts';

const errors = Object.keys(errorExamples);
const targets = [...Object.keys(operations), ...Object.keys(tools)];

/** One line of the table: the response, as its readers search for it, and the rule that causes it. */
interface Kind {
  readonly status: number | '-';
  readonly name: string;
  readonly hint: string;
  readonly effect: Readonly<Record<string, unknown>>;
}

const kinds: readonly Kind[] = [
  ...Object.entries(errorExamples).map(([name, { status, body }]) => {
    const { error } = body as { error: string | { message: string } };
    const hint = typeof error === 'string' ? `The rate limit of the ${name.slice(8)} is reached.` : error.message;
    return { status, name, hint, effect: { error: name } };
  }),
  ...Object.entries(gatewayErrors).map(([name, { status }]) => ({
    status,
    name,
    hint: 'Response of a gateway',
    effect: { error: name },
  })),
  ...networkFaults.map((network) => ({
    status: '-' as const,
    name: network,
    hint: 'Network fault',
    effect: { network },
  })),
  { status: '-', name: 'latency', hint: 'Responses take 2 seconds.', effect: { latencyMs: 2000 } },
];

const lengths = [
  ['once', 'Next request', { times: 1 }],
  ['always', 'Always', {}],
] as const;

export function FaultsPage() {
  const parts = [
    <FaultTable key="table" />,
    <div key="faults" class="follow">
      <ActiveFaults />
      <OwnFault />
    </div>,
  ];
  // In the narrow panel, the active faults come first, for the eye and for the keyboard.
  return <div class="columns">{useApp().hasRequestLog ? parts : parts.reverse()}</div>;
}

function FaultTable() {
  const app = useApp();
  const { faults } = useAppState();
  const [operation, setOperation] = useState('');
  const flip = (id: string, on: boolean, rule: object) =>
    on ? app.ask('DELETE', `/faults/${id}`) : app.ask('PUT', `/faults/${id}`, rule);
  const cell = ({ name, effect }: Kind, [length, title, times]: (typeof lengths)[number]) => {
    const id = [length, name, ...(operation ? [operation] : [])].join('-');
    const on = faults.some((fault) => fault.id === id);
    const rule = { match: operation ? { operation } : {}, ...effect, ...times };
    return (
      <td key={length}>
        <Switch on={on} flip={() => flip(id, on, rule)}>
          <span class="readers">
            {title}: {name}
          </span>
        </Switch>
      </td>
    );
  };
  const choice = (
    <Choice
      bare
      label="Operation of these faults"
      value={operation}
      options={[['', 'All operations'], ...targets]}
      choose={setOperation}
    />
  );
  return (
    <Card title="Responses" aside={choice}>
      <table class="fault-kinds">
        <Head titles={['Status', 'Name', ...lengths.map(([, title]) => title)]} />
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind.name}>
              <td class={`mono ${typeof kind.status === 'number' ? statusClass(kind.status) : 'bad'}`}>
                {kind.status}
              </td>
              <td>
                <span class="mono">
                  {kind.name.split(/(?<=_)/).map((word) => (
                    <>
                      {word}
                      <wbr />
                    </>
                  ))}
                </span>
                <br />
                <small class="soft">{kind.hint}</small>
              </td>
              {lengths.map((length) => cell(kind, length))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function ActiveFaults() {
  const app = useApp();
  const { faults } = useAppState();
  const clear = (
    <Act disabled={faults.length === 0} does={() => app.ask('DELETE', '/faults')}>
      Remove all
    </Act>
  );
  return (
    <Card title="Active faults" aside={clear} id="faults">
      {faults.length === 0 ? (
        <Empty>No active faults. Turn on a response, or add a custom fault.</Empty>
      ) : (
        <ul class="list">
          {faults.map((fault) => (
            <li key={fault.id} class="spread">
              <span>
                <strong>{fault.id}</strong> {describeFault(fault)}
                <span class="chip">injected {fault.struck}×</span>
              </span>
              <Act
                label={`Remove ${fault.id}`}
                does={() => app.ask('DELETE', `/faults/${encodeURIComponent(fault.id)}`)}
              >
                Remove
              </Act>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function describeFault({ id: _, match, struck: __, ...effects }: Fault): string {
  const parts = Object.entries(effects).map(([name, value]) =>
    name === 'respond' ? `custom response ${(value as { status?: number }).status ?? 200}` : `${name} ${value}`,
  );
  const where = Object.entries(match).map(([name, value]) => `${name} ${value}`);
  return `${parts.join(', ')} on ${where.join(', ') || 'all requests'} `;
}

/** Field of the rule, label, placeholder, maximum. */
const figures = [
  ['latencyMs', 'Latency in ms', 'none', 600_000],
  ['retryAfterS', 'Retry-After in s (429)', 'as in the contract', 86_400],
  ['skip', 'Skip the first requests', '0', 1_000_000],
  ['times', 'Number of requests', 'unlimited', 1_000_000],
  ['probability', 'Probability, 0 to 1', '1', 1],
] as const;

function OwnFault() {
  const app = useApp();
  const submit = async (fields: Fields, form: HTMLFormElement) => {
    if (!['error', 'network', 'latencyMs'].some((name) => name in fields))
      throw new Error('Choose an error, a network fault or a latency.');
    await app.ask('POST', '/faults', ruleOf(fields));
    form.reset();
  };
  return (
    <Card title="Custom fault">
      <Form id="faultform" submit={submit} send="Add">
        <Listed name="operation" label="Operation" none="all" values={targets} />
        <Field label="Account id" name="accountId" placeholder="any" />
        <Listed name="error" label="Error" none="none" values={errors} />
        <Listed name="network" label="Network" none="none" values={networkFaults} />
        {figures.map(([name, label, placeholder, max]) => (
          <Field key={name} {...{ label, name, max, placeholder }} type="number" min="0" step="any" />
        ))}
      </Form>
    </Card>
  );
}

function ruleOf({ operation, accountId, error, network, ...numbers }: Fields): object {
  return {
    match: { ...(operation ? { operation } : {}), ...(accountId ? { accountId } : {}) },
    ...(error ? { error } : {}),
    ...(network ? { network } : {}),
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])),
  };
}
