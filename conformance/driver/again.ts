// Requests that show how often a failure occurs, as a scenario after all others.
import { type Exchange, isObject, listOf } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { type Cause, sequenceOf } from '../report/diagnosis/causes.ts';
import { differingRead, isListRead, unsteadyOf } from '../report/diagnosis/scope.ts';
import type { StoredExchange } from '../report/report.ts';
import { type Scenario, sendRaw } from '../scenarios/scenario.ts';

/** Each gets three requests at most. */
const causesMax = 10;
const requestsMax = 3;

/** Shows how often a defect occurs, whether the endpoint works at all, and whether an earlier request is needed. */
export function repeatsOf(causes: readonly Cause[], sent: readonly StoredExchange[]): Scenario {
  return {
    id: 'causes/again',
    cost: { least: 0, most: causesMax * requestsMax },
    *ask({ history }) {
      for (const cause of causes.slice(0, causesMax)) {
        const { exchanges } = history();
        const bad = exchanges.find(({ id }) => id === cause.finding.exchange);
        const specs = bad === undefined ? [] : (sequenceFor(cause, sent, exchanges) ?? requestsFor(cause, bad));
        for (let turn = 0; turn < 2 * requestsMax; turn += 1) {
          const spec = specs.shift() ?? confirmingRead(cause, history().exchanges);
          if (spec === undefined) break;
          yield* sendRaw({ ...spec, confirms: 'control' });
        }
      }
      return undefined;
    },
  };
}

/** Identical requests with other records are repeated until a record returns, which no change of the data explains. */
function confirmingRead({ finding }: Cause, exchanges: readonly Exchange[]): RequestSpec | undefined {
  const read = differingRead(finding, exchanges);
  const isOpen = read !== undefined && (unsteadyOf(finding, exchanges)?.exchanges.length ?? 0) < unsteadyMin;
  return isOpen ? { method: 'GET', path: read.target, key: read.key } : undefined;
}

const unsteadyMin = 6;

const isPlain = ({ method, operation, key, burst, status }: StoredExchange | Exchange) =>
  method === 'GET' && operation !== null && !burst && status > 0 && status !== 429 && /^(good|second|none)$/.test(key);

/** The same requests in the same order, after the last of them for an unread record. */
function sequenceFor(cause: Cause, sent: readonly StoredExchange[], exchanges: readonly Exchange[]) {
  const { requests } = sequenceOf(cause, sent);
  const own = requests.at(-1);
  if (own === undefined || requests.length < 2 || requests.length > requestsMax || !requests.every(isPlain))
    return null;
  const again = requests.map(({ method, target, key }): RequestSpec => ({ method, path: target, key }));
  const [isOneTarget, isOnePath] = [requests[0]?.target === own.target, pathOf(requests[0]) === pathOf(own)];
  const fresh = requests.length < requestsMax && isOnePath ? unread(own, exchanges) : null;
  if (fresh !== null) return [{ method: 'GET', path: fresh, key: own.key }, ...again];
  // An instance that is out of date mostly shows on the first page.
  return [...again, ...(isOneTarget ? [] : again)].slice(0, requestsMax);
}

const pathOf = (exchange: StoredExchange | undefined) => exchange?.target.split('?')[0];

/** The path of another record of the valid key; null where each was read, or where there is no list. */
function unread({ target }: StoredExchange, exchanges: readonly Exchange[]): string | null {
  const [, list, rest = ''] = /^(\/(?:articles|sites|connect\/accounts))\/[^/?]+(.*)$/.exec(target) ?? [];
  if (list === undefined) return null;
  const lists = exchanges.filter((each) => each.key === 'good' && each.target.split('?')[0] === list);
  const rows = lists.flatMap(({ json }) => rowsIn(isObject(json) ? json.data : null)).filter(isObject);
  const idOf = (row: (typeof rows)[number]) => String(row.accountId ?? row.id);
  const provider = rows.find((row) => target.includes(idOf(row)))?.provider;
  const isUsable = (row: (typeof rows)[number]) =>
    /^(connected|undefined)$/.test(`${row.status}`) &&
    row.locked !== true &&
    !exchanges.some((each) => each.target.includes(idOf(row)));
  // An account of another provider can reject the request.
  const usable = rows.filter(isUsable);
  const row = usable.find((each) => each.provider === provider) ?? usable[0];
  return row === undefined ? null : `${list}/${encodeURIComponent(idOf(row))}${rest}`;
}

const rowsIn = (data: unknown) => listOf(isObject(data) ? data.accounts : data);

/** Other responses to the request can be compared only by their status, or by a rule. */
function requestsFor({ finding, checks: [first = ''], control, scope }: Cause, bad: Exchange): RequestSpec[] {
  const { method, target, key } = bad;
  const isStatus = finding.pointer === '#status';
  const again = (times: number) => Array.from({ length: Math.max(0, times) }, () => ({ method, path: target, key }));
  // Several responses contradict each other: identical requests show whether they do so too.
  if (isListRead(bad, finding) && finding.proof !== undefined) return again(requestsMax);
  if (!isPlain(bad) || !(isStatus || first.startsWith('rule/'))) return [];
  const [path = ''] = target.split('?');
  const repeated = again(requestsMax - scope.of);
  return isStatus && control === null && path !== target ? [...repeated, { method, path, key }] : repeated;
}
