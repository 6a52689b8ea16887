// Faults: presets, faults for one request, active faults, and custom faults.
import { errorExamples } from '../../contract/generated/errors.ts';
import { operations } from '../../contract/generated/operations.ts';
import { tools } from '../../contract/generated/tools.ts';
import { networkFaults } from '../../domain/faults.ts';
import type { App } from './app.ts';
import { onceId, presets } from './fault-presets.ts';
import { Act, Card, Empty, Switch } from './parts.tsx';
import type { Fault } from './responses.ts';
import { useApp, useAppState } from './use-app.ts';

const errors = Object.keys(errorExamples);
const targets = [...Object.keys(operations), ...Object.keys(tools)];

export function FaultsPage() {
  return (
    <div class="columns">
      <div>
        <ActiveFaults />
        <OwnFault />
      </div>
      <div>
        <Presets />
        <Once />
      </div>
    </div>
  );
}

export function Presets() {
  const app = useApp();
  const { faults } = useAppState();
  return (
    <Card title="Presets">
      <div class="switches">
        {presets.map(({ id, name, hint, rule }) => {
          const on = faults.some((fault) => fault.id === id);
          return (
            <Switch key={id} on={on} hint={hint} flip={() => flip(app, { id, on, rule })}>
              {name}
            </Switch>
          );
        })}
      </div>
    </Card>
  );
}

function Once() {
  const app = useApp();
  const { faults } = useAppState();
  const all = [...errors.map((error) => ({ error })), ...networkFaults.map((network) => ({ network }))];
  return (
    <Card title="Next request only">
      <div class="switches small">
        {all.map((effect) => {
          const [name = ''] = Object.values(effect);
          const on = faults.some(({ id }) => id === onceId(name));
          return (
            <Switch key={name} on={on} flip={() => flip(app, { id: onceId(name), on, rule: { ...effect, times: 1 } })}>
              {name}
            </Switch>
          );
        })}
      </div>
    </Card>
  );
}

function flip(app: App, { id, on, rule }: { id: string; on: boolean; rule: object }): Promise<unknown> {
  return on ? app.ask('DELETE', `/faults/${id}`) : app.ask('PUT', `/faults/${id}`, rule);
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
        <Empty>No active faults. Turn on a preset, or add a custom fault.</Empty>
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

function OwnFault() {
  const app = useApp();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    app.act(async () => {
      await app.ask('POST', '/faults', ruleOf(new FormData(form)));
      form.reset();
    });
  };
  return (
    <Card title="Custom fault">
      <form id="faultform" class="grid" onSubmit={submit}>
        <Listed name="operation" label="Operation" none="all" values={targets} />
        <label>
          <span>Account id</span>
          <input name="accountId" placeholder="any" />
        </label>
        <Listed name="error" label="Error" none="none" values={errors} />
        <Listed name="network" label="Network" none="none" values={networkFaults} />
        <label>
          <span>Latency in ms</span>
          <input name="latencyMs" type="number" min="0" max="600000" />
        </label>
        <label>
          <span>Times</span>
          <input name="times" type="number" min="1" placeholder="unlimited" />
        </label>
        <label>
          <span>Probability</span>
          <input name="probability" type="number" min="0" max="1" step="any" placeholder="1" />
        </label>
        <button type="submit" class="primary">
          Add
        </button>
      </form>
    </Card>
  );
}

function Listed({
  name,
  label,
  none,
  values,
}: {
  name: string;
  label: string;
  none: string;
  values: readonly string[];
}) {
  return (
    <label>
      <span>{label}</span>
      <select name={name}>
        <option value="">{none}</option>
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </label>
  );
}

function ruleOf(form: FormData): object {
  const { operation, accountId, error, network, ...numbers } = Object.fromEntries(
    [...form].filter(([, value]) => value !== ''),
  );
  return {
    match: { ...(operation ? { operation } : {}), ...(accountId ? { accountId } : {}) },
    ...(error ? { error } : {}),
    ...(network ? { network } : {}),
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])),
  };
}
