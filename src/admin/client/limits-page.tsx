// The current usage of each rate limit, and the time until the next request is allowed.

import { Card, Empty, Field, type Fields, Form, Switch } from './parts.tsx';
import type { Gauge, Limit } from './responses.ts';
import { useApp, useAppState, useNow } from './use-app.ts';

export function LimitsPage() {
  const app = useApp();
  const { windows } = useAppState();
  if (!windows) return <Empty>Loading…</Empty>;
  const { enforced, address, key } = windows;
  return (
    <>
      <div class="space">
        <Switch
          on={enforced}
          flip={() => app.ask('PUT', '/limits', { enforced: !enforced })}
          hint={describe(address, key)}
        >
          Rate limits are {enforced ? 'on' : 'off'}
        </Switch>
      </div>
      <div class="columns" id="limits">
        <Gauges title="Addresses" kind="address" bucket={address} enforced={enforced} />
        <Gauges title="Keys" kind="key" bucket={key} enforced={enforced} />
      </div>
    </>
  );
}

const describe = (address: Limit, key: Limit) => `${sentence(address)} per address, ${sentence(key)} per key`;

const sentence = ({ limit, windowMs }: Limit) => `${limit} requests in ${windowMs / 1000} s`;

interface GaugesProps {
  readonly title: string;
  readonly kind: 'address' | 'key';
  readonly bucket: Limit & { readonly windows: readonly Gauge[] };
  readonly enforced: boolean;
}

function Gauges({ title, kind, bucket, enforced }: GaugesProps) {
  const now = useNow();
  const { limit, windowMs, windows } = bucket;
  const filled = windows.map((gauge) => ({ ...gauge, ...levelAt(gauge, now) })).filter(({ level }) => level > 0);
  return (
    <Card title={title} aside={<span class="soft">{sentence(bucket)}</span>}>
      {filled.length === 0 ? (
        <Empty>
          {enforced
            ? 'No requests in this window. Send one to see its usage.'
            : 'Rate limits are off. Turn them on above.'}
        </Empty>
      ) : (
        <ul class="list gauges">
          {filled.map(({ name, level, nextMs }) => (
            <li key={name}>
              <div class="spread">
                <span class="mono">{name}</span>
                <span class={level >= limit ? 'bad' : 'soft'}>
                  {level} of {limit}
                  {nextMs !== null && `, oldest expires in ${Math.ceil(nextMs / 1000)} s`}
                </span>
              </div>
              <meter
                min={0}
                max={limit}
                high={limit * 0.8}
                optimum={0}
                value={level}
                aria-label={`${name}: ${level} of ${limit}`}
              />
            </li>
          ))}
        </ul>
      )}
      <LimitForm kind={kind} limit={limit} windowMs={windowMs} />
    </Card>
  );
}

/** Returns the usage at a time: each request counts for one window. */
function levelAt({ used, freesAtMs }: Gauge, now: number): { level: number; nextMs: number | null } {
  const left = freesAtMs.filter((timestamp) => timestamp > now);
  const next = left[0];
  return { level: used - (freesAtMs.length - left.length), nextMs: next === undefined ? null : next - now };
}

function LimitForm({ kind, limit, windowMs }: Limit & { kind: 'address' | 'key' }) {
  const app = useApp();
  const submit = (fields: Fields) =>
    app.ask('PUT', '/limits', { [kind]: { limit: Number(fields.limit), windowMs: Number(fields.seconds) * 1000 } });
  const seconds = windowMs / 1000;
  return (
    <details>
      <summary>Change limit</summary>
      <Form submit={submit} send="Set" key={`${limit} ${windowMs}`}>
        <Field label="Requests" name="limit" type="number" min="1" max="1000000" required defaultValue={limit} />
        <Field
          label="Seconds"
          name="seconds"
          type="number"
          min="0.001"
          max="86400"
          step="any"
          required
          defaultValue={seconds}
        />
      </Form>
    </details>
  );
}
