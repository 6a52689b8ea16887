// Roles before values: an id is whatever record it names, an instant is an instant however it is written, and all else
// is a value. The same id keeps its identity over all answers.
import { instantStepNs, isInstantForm, plainInstantForm } from '../../src/contract/forms.ts';
import { parseInstant } from '../../src/contract/instants.ts';
import { isObject } from '../exchange/exchange.ts';
import { isUuid } from '../observe/look.ts';
import { canonical } from '../observe/observe.ts';
import { type Kind, kinds, type Members, type World } from './world.ts';

/** A place of a world with its role. */
export type Value =
  | { readonly role: 'id'; readonly names: string | null }
  | { readonly role: 'instant'; readonly ns: bigint; readonly stepNs: bigint; readonly text: string }
  | { readonly role: 'value'; readonly text: string };

/** One record by its name. */
export interface Named {
  readonly kind: Kind;
  readonly name: string;
  /** By the path of the member; entries of lists are numbered. */
  readonly places: ReadonlyMap<string, Value>;
}

/** How records are named: by ids that both sides share, or by what a person would call them. */
export type Naming = Readonly<Record<Kind, 'id' | 'words'>>;

const ownId: Readonly<Record<Kind, string>> = {
  site: 'id',
  article: 'id',
  keyword: 'id',
  account: 'accountId',
  invite: 'id',
  review: 'reviewId',
  insights: 'accountId',
  call: 'id',
};

const words: Readonly<Record<Kind, readonly string[]>> = {
  site: ['domain'],
  article: ['siteId', 'slug'],
  keyword: ['siteId', 'keyword'],
  account: ['provider', 'label', 'name'],
  invite: ['provider', 'label'],
  review: ['accountId', 'author', 'text'],
  insights: ['accountId'],
  call: [],
};

/** Of records that several names lead to, none is told from the other. */
const references: Readonly<Record<string, Kind>> = { siteId: 'site', accountId: 'account' };

/** One shared id is enough: ids are not shared by chance. */
export function namingOf(a: World, b: World): Naming {
  const share = (kind: Kind) => {
    const ids = new Set(a[kind].records.map((record) => idOf(kind, record)));
    return b[kind].records.some((record) => ids.has(idOf(kind, record)));
  };
  return Object.fromEntries(kinds.map((kind) => [kind, share(kind) ? 'id' : 'words'])) as Naming;
}

function idOf(kind: Kind, record: Members): string {
  return String(record[ownId[kind]]).toLowerCase();
}

/** All records of a world by name; what has no name of its own is left out. */
export function nameRecords(world: World, naming: Naming): Named[] {
  const names = new Map<string, string>();
  // Sites and accounts come first: others are named by them.
  for (const kind of kinds) {
    for (const record of world[kind].records) {
      const name = nameOf(kind, record, { naming, names });
      if (name !== null && kind !== 'insights') names.set(idOf(kind, record), `${kind} ${name}`);
    }
  }
  const all = kinds.flatMap((kind) =>
    world[kind].records.flatMap((record): Named[] => {
      const name = nameOf(kind, record, { naming, names });
      return name === null ? [] : [{ kind, name, places: placesOf(kind, record, names) }];
    }),
  );
  const times = new Map<string, number>();
  for (const { kind, name } of all) times.set(`${kind} ${name}`, (times.get(`${kind} ${name}`) ?? 0) + 1);
  return all.filter(({ kind, name }) => times.get(`${kind} ${name}`) === 1);
}

interface NamedBy {
  readonly naming: Naming;
  readonly names: ReadonlyMap<string, string>;
}

function nameOf(kind: Kind, record: Members, { naming, names }: NamedBy): string | null {
  if (naming[kind] === 'id') return idOf(kind, record);
  const parts = words[kind].map((member) => {
    const value = record[member];
    return references[member] === undefined ? canonical(value) : names.get(String(value).toLowerCase());
  });
  return parts.length === 0 || parts.some((part) => part === undefined) ? null : parts.join(' ');
}

function placesOf(kind: Kind, record: Members, names: ReadonlyMap<string, string>): Map<string, Value> {
  const places = new Map<string, Value>();
  const put = (value: unknown, path: string) => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) put(item, `${path}[${labelOf(item) ?? index}]`);
      return;
    }
    if (!isObject(value)) {
      places.set(path, roleOf(path, value, names));
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      if (path === '' && name === ownId[kind]) continue;
      put(member, path === '' ? name : `${path}.${name}`);
    }
  };
  put(record, '');
  return places;
}

/** Metrics have a key, points a date: an order of their own is no value. */
function labelOf(item: unknown): string | null {
  return isObject(item) && typeof item.key === 'string' ? item.key : null;
}

function roleOf(path: string, value: unknown, names: ReadonlyMap<string, string>): Value {
  if (typeof value === 'string') {
    const named = names.get(value.toLowerCase());
    if (named !== undefined || isUuid(value)) return { role: 'id', names: named ?? null };
  }
  const instant = instantOf(path, value);
  return instant ?? { role: 'value', text: canonical(value) };
}

const aboutTime = /(at|date|time|start|end|began|over|since|until)([_A-Z\]]|$)|(At|Date|Time|Start|End)/;
const dayNs = 86_400_000_000_000n;
const secondNs = 1_000_000_000n;

function instantOf(path: string, value: unknown): Value | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const form = plainInstantForm(value);
  if (form === null || (!aboutTime.test(path) && !isInstantForm(form))) return null;
  const text = String(value);
  const at = (ns: bigint | null, stepNs: bigint): Value | null =>
    ns === null ? null : { role: 'instant', ns, stepNs, text };
  if (isInstantForm(form)) return at(parseInstant(text), instantStepNs(form));
  if (form === 'epoch seconds') return at(BigInt(Math.round(Number(text) * 1000)) * 1_000_000n, secondNs);
  if (form === 'epoch milliseconds') return at(BigInt(text) * 1_000_000n, 1_000_000n);
  if (form === 'YYYY-MM-DD' || form === 'YYYYMMDD')
    return at(parseInstant(`${text.replace(/^(\d{4})-?(\d{2})-?(\d{2})$/, '$1-$2-$3')}T00:00Z`), dayNs);
  const ms = Date.parse(form === 'YYYY-MM-DD hh:mm:ss' ? `${text.replace(' ', 'T')}Z` : text);
  return Number.isNaN(ms) ? null : at(BigInt(ms) * 1_000_000n, secondNs);
}
