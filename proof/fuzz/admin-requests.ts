// For the fuzz test: requests for the control plane.
import fc from 'fast-check';
import type { CoreRequest } from '../../src/http/message.ts';
import { methods } from './requests.ts';
import { instants, odd, oddities } from './words.ts';

/** A request for the control plane; `paths` are those of its routes. */
export function fuzzAdminRequest(paths: readonly string[]): fc.Arbitrary<CoreRequest> {
  const path = fc
    .constantFrom(...paths)
    .chain((template) =>
      fc.constantFrom('1', 'a', 'org_1', ...oddities).map((id) => `/__admin${template.replace('{id}', id)}`),
    );
  return fc.record({
    method: fc.oneof({ weight: 3, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE') }, methods),
    path,
    query: fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      odd,
      odd.map((text) => `limit=${text}`),
    ),
    headers: fc.constantFrom<Record<string, string>>({}, { host: 'localhost:1' }, { origin: 'http://evil.example' }),
    body: fc.option(adminBody),
    peer: fc.constantFrom('127.0.0.1', '::1'),
    origin: fc.constant('http://127.0.0.1:4010'),
  });
}

/**
 * Every member that a body of the control plane may have, right or odd. All in one record: a route must not mind those
 * of others.
 */
const adminFields = (): Record<string, fc.Arbitrary<unknown>> => {
  const name = fc.oneof(fc.constantFrom<unknown>('1', 'a', 'org_1'), odd);
  const count = fc.oneof(fc.integer({ min: -1, max: 100 }), fc.constantFrom<unknown>(1e15, 0.5, '5'));
  const bucket = fc.record({ limit: count, windowMs: count }, { requiredKeys: [] });
  const match = fc.record({ operation: fc.constantFrom('listArticles', 'nope'), ip: name }, { requiredKeys: [] });
  const error = fc.constantFrom('provider_auth', 'limiter_key', 'nope');
  const network = fc.constantFrom('reset', 'timeout', 'nope');
  const rule = fc.record(
    { match, error, network, times: count, latencyMs: count, probability: count },
    { requiredKeys: [] },
  );
  return {
    id: name,
    match,
    error,
    network,
    times: count,
    latencyMs: count,
    faults: fc.array(rule, { maxLength: 3 }),
    enforced: fc.oneof(fc.boolean(), name),
    address: bucket,
    key: fc.oneof(bucket, name),
    duration: fc.oneof(fc.constantFrom('5m', '36500d', '1000000d', '1e300s', '-1s'), fc.integer(), name),
    time: fc.constantFrom(...instants, 0, 1e18),
    scale: fc.oneof(fc.double(), count),
    organizationId: name,
    startedAt: fc.constantFrom(...instants),
    outcome: name,
    name,
    world: fc.constantFrom('empty', 'default', 'nope'),
    path: name,
    status: count,
  };
};

const adminBody = fc
  .oneof(
    { weight: 5, arbitrary: fc.record(adminFields(), { requiredKeys: [] }) },
    ...Object.entries(adminFields()).map(([name, value]) => value.map((one) => ({ [name]: one }))),
  )
  .map((value) => new TextEncoder().encode(JSON.stringify(value)));
