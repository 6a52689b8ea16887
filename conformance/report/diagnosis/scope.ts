// How far a defect reaches, by the requests of the run: how often the same request shows it, and with other values of
// each part of the request.
import type { CheckResult, Finding } from '../../judge/result.ts';
import type { StoredExchange } from '../report.ts';
import { type Control, differences, isSameRequest, partsOf, transient } from './control.ts';

export interface Scope {
  /** Responses that show it, of all responses to the same request. */
  readonly seen: number;
  readonly of: number;
  readonly varied: readonly Varied[];
}

/** Requests that differ from the failing one in one part only. */
export interface Varied {
  /** `path`, `key`, `limit`, `body.text`. */
  readonly part: string;
  /** Values of it with which the defect shows, the one of the failing request included. */
  readonly failing: number;
  /** All values that were tested. */
  readonly of: number;
  /** Some of the values with which it does not show: `range=7d`, `no range`. */
  readonly passing: readonly string[];
}

export interface Evidence {
  readonly finding: Finding;
  readonly check: CheckResult;
  readonly exchange: StoredExchange | undefined;
}

/** `shown`: exchanges that show the defect. `blamed`: ids of all exchanges that findings are about. */
interface Seen {
  readonly shown: ReadonlySet<StoredExchange>;
  readonly blamed: ReadonlySet<string>;
  readonly exchanges: readonly StoredExchange[];
}

const passingMax = 2;

export function scopeOf({ exchange: bad, finding, check }: Evidence, { shown, blamed, exchanges }: Seen): Scope {
  if (bad === undefined) return { seen: shown.size, of: shown.size, varied: [] };
  const isStatus = finding.pointer === '#status';
  const tested = new Set(check.id.startsWith('rule/') ? check.exchanges : []);
  // A status can be compared with any other; only a rule is known to have tested the other responses.
  const isComparable = (each: StoredExchange) =>
    shown.has(each) || tested.has(each.id) || (isStatus && (each.status === bad.status || !transient.has(each.status)));
  const isFailing = (each: StoredExchange) => shown.has(each) || (isStatus && each.status === bad.status);
  const same = exchanges.filter((each) => each === bad || (isSameRequest(each, bad) && isComparable(each)));
  const isPassing = (each: StoredExchange) =>
    !blamed.has(each.id) && (isStatus ? each.status < 400 !== bad.status < 400 : tested.has(each.id));
  const alike = exchanges.filter(
    (each) => each.operation === bad.operation && each.method === bad.method && !each.burst && each.status > 0,
  );
  const parts = new Map<string, { failing: Set<string>; passing: Set<string> }>();
  for (const each of bad.operation === null || bad.burst ? [] : alike) {
    const [part, ...more] = differences(bad, each);
    if (part === undefined || more.length > 0 || !(shown.has(each) || isPassing(each))) continue;
    const values = parts.get(part) ?? { failing: new Set([valueIn(bad, part)]), passing: new Set() };
    parts.set(part, values);
    values[shown.has(each) ? 'failing' : 'passing'].add(valueIn(each, part));
  }
  const varied = [...parts].map(([part, { failing, passing }]) => {
    const others = [...passing].filter((value) => !failing.has(value));
    return { part, failing: failing.size, of: failing.size + others.length, passing: others.slice(0, passingMax) };
  });
  return { seen: same.filter(isFailing).length, of: same.length, varied };
}

function valueIn(exchange: StoredExchange, part: string): string {
  const value = partsOf(exchange).get(part);
  if (value === undefined || value === '') return `no ${part}`;
  return part === 'path' ? value : `${part}=${value.replace(/^=/, '')}`;
}

const singles: Readonly<Record<string, string>> = { path: 'one particular record', key: 'one particular key' };

/** Explanations that the run has ruled out. `isKind`: acceptance and rejection are exchanged. */
export function ruledOutBy({ seen, of, varied }: Scope, control: Control | null, isKind: boolean): string[] {
  const repeated = varied.filter(({ failing }) => failing > 1).map(({ part }) => part);
  return [
    ...(seen > 1 && seen === of ? ['chance'] : []),
    ...repeated.map((part) => singles[part] ?? `one particular value of ${part}`),
    ...(control === null || !isKind ? [] : [control.differsIn === 'key' ? 'every key' : 'the endpoint as a whole']),
  ];
}
