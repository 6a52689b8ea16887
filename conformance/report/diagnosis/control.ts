// The control request of a finding: the request of the run that is most like it, with another kind of response.
import { parseJson } from '../../../src/contract/json.ts';
import { isObject } from '../../exchange/exchange.ts';
import { oncePer } from '../../exchange/once.ts';
import type { StoredExchange } from '../report.ts';

/** `differsIn` is the one part in which it differs: `key`, `limit`, `body.text`, `path`. */
export interface Control {
  readonly exchange: string;
  readonly differsIn: string;
}

/** The fields that are compared, which live exchanges have too. */
type Compared = Pick<
  StoredExchange,
  'method' | 'target' | 'key' | 'requestHeaders' | 'requestBody' | 'status' | 'burst'
>;

/** Statuses of rate limits and gateways, which say nothing about the request. */
export const transient = new Set([429, 502, 503, 504]);

/** The key and the body are separate parts, and the other headers are set by the client. */
const ofNoPart = /^(authorization|host|user-agent|content-length|accept-encoding|connection|te|expect)$/i;

/** The parts of a request by name. */
export const partsOf = oncePer(({ target, key, requestHeaders, requestBody }: Compared): Map<string, string> => {
  const [path = '', query = ''] = target.split('?');
  const parts = new Map([
    ['path', path],
    ['key', key === 'wrong' ? `wrong ${requestHeaders.authorization ?? ''}` : key],
    ...Object.entries(requestHeaders).filter(([name]) => !ofNoPart.test(name)),
  ]);
  for (const [name, value] of new URLSearchParams(query)) parts.set(name, `${parts.get(name) ?? ''}=${value}`);
  const body = parseJson(requestBody.text ?? '');
  if (isObject(body))
    for (const [name, value] of Object.entries(body)) parts.set(`body.${name}`, JSON.stringify(value));
  else parts.set('body', requestBody.text ?? requestBody.command ?? `${requestBody.bytes}`);
  return parts;
});

/** Names of the parts that only one of the two has, or that differ. */
export function differences(one: Compared, other: Compared): string[] {
  const [mine, its] = [partsOf(one), partsOf(other)];
  return [...new Set([...mine.keys(), ...its.keys()])].filter((name) => mine.get(name) !== its.get(name));
}

/** Whether both are requests to the same operation that differ in nothing, with a response each. */
export function isSameRequest(one: Compared, other: Compared): boolean {
  const isComparable = one.method === other.method && one.status > 0 && other.status > 0 && !one.burst && !other.burst;
  return isComparable && differences(one, other).length === 0;
}

/** Returns null when no request of the run differs in one part only. `blamed`: exchanges that findings are about. */
export function controlOf(
  bad: StoredExchange,
  exchanges: readonly StoredExchange[],
  blamed: ReadonlySet<string>,
): Control | null {
  const isOther = ({ status }: StoredExchange) =>
    status > 0 && !transient.has(status) && status < 400 !== bad.status < 400;
  for (const other of exchanges) {
    if (other.operation !== bad.operation || other.method !== bad.method) continue;
    if (other.operation === null || blamed.has(other.id) || !isOther(other)) continue;
    const [part, ...rest] = differences(bad, other);
    if (part !== undefined && rest.length === 0) return { exchange: other.id, differsIn: part };
  }
  return null;
}
