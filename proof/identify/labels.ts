// How often the labels of `x-casa-basis` are wrong: each field of the same reads of a deployment and of its calibrated
// mock, compared by code that shares nothing with the observers of calibrate.

import type { Profile } from '../../src/contract/profile.ts';
import { sourceOf } from '../../src/contract/profile.ts';
import { type BasisKind, basisIn, basisOf } from '../../src/http/basis.ts';
import { createMock } from '../../src/index.ts';
import type { WorldName } from '../../src/worlds/names.ts';
import { startIndependent, type VariantName } from '../independent/index.ts';

type Get = (path: string) => Promise<unknown>;
type Fields = Readonly<Record<string, unknown>>;

/** The fields of a deployment by their label, and those that the mock shows differently. */
export interface LabelRow {
  readonly variant: string;
  readonly world: string;
  readonly fields: Readonly<Record<BasisKind, number>>;
  readonly differing: readonly { readonly field: string; readonly label: string; readonly why: string }[];
}

/** Operation and path of a field -> what its values look like. */
type Traits = Map<string, { values: Set<string>; nulls: number; records: number }>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Digits become 9, so a timestamp, an id or a number is its format. Other texts are words. */
function formOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction';
  if (typeof value !== 'string') return typeof value;
  if (value === '') return 'empty';
  if (/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value)) return /[A-F]/.test(value) ? 'UUID' : 'uuid';
  if (/^\d{4}-?\d\d-?\d\d(?:T|$)|^\d{10,13}$|GMT$/.test(value))
    return value
      .replace(/[.,]\d+/, (digits) => `${digits[0]}${'f'.repeat(digits.length - 1)}`)
      .replace(/[A-Z][a-z]{2}/g, 'Aaa')
      .replace(/\d/g, '9');
  return /^\d+$/.test(value) ? 'digits' : 'text';
}

function traitOf(traits: Traits, path: string) {
  const trait = traits.get(path) ?? { values: new Set<string>(), nulls: 0, records: 0 };
  traits.set(path, trait);
  return trait;
}

/** Each record counts for its fields, whether it has them or not. */
function walk(value: unknown, path: string, traits: Traits): void {
  if (Array.isArray(value)) for (const item of value) walk(item, `${path}/*`, traits);
  if (!isFields(value)) return;
  for (const [name, child] of Object.entries(value)) {
    const at = `${path}/${name}`;
    const trait = traitOf(traits, at);
    trait.records += 1;
    if (child === null) trait.nulls += 1;
    else if (!Array.isArray(child) && !isFields(child)) trait.values.add(formOf(child));
    walk(child, at, traits);
  }
  traitOf(traits, `${path} records`).records += 1;
}

const often = (count: number, of: number) => (count === 0 ? 'never' : count === of ? 'always' : 'sometimes');
const recordsMin = 5;

/** Null if two fields look alike, or the difference. Few records show no proportion. */
function whyDifferent(path: string, sides: readonly [Traits, Traits], known: ReadonlySet<string>): string | null {
  const [a, b] = sides.map((traits) => {
    const parent = traits.get(`${path.slice(0, path.lastIndexOf('/'))} records`)?.records ?? 0;
    const trait = traits.get(path);
    const { values = new Set<string>(), nulls = 0, records = 0 } = trait ?? {};
    return {
      parent,
      values: [...values].sort().join(' | '),
      nulls: often(nulls, records),
      shown: often(records, parent),
      records,
    };
  }) as [Seen, Seen];
  if (
    Math.min(a.parent, b.parent) < recordsMin &&
    (a.shown === 'sometimes' || b.shown === 'sometimes' || a.records * b.records === 0)
  )
    return null;
  if (a.shown !== b.shown) return `present ${a.shown}, mock ${b.shown}`;
  if (a.values !== '' && b.values !== '' && a.values !== b.values && !isOfSeveral(a.values, b.values, known))
    return `${a.values}, mock ${b.values}`;
  if (Math.min(a.records, b.records) >= recordsMin && a.nulls !== b.nulls) return `null ${a.nulls}, mock ${b.nulls}`;
  return null;
}

interface Seen {
  readonly parent: number;
  readonly values: string;
  readonly nulls: string;
  readonly shown: string;
  readonly records: number;
}

/** Of several formats, a few records show a part: each of the mock must be one that the deployment has somewhere. */
function isOfSeveral(a: string, b: string, known: ReadonlySet<string>): boolean {
  const forms = b.split(' | ');
  return (a.includes(' | ') || forms.length > 1) && forms.every((form) => known.has(form));
}

/** The reads of a client that looks at everything. */
async function readAll(get: Get): Promise<Map<string, Traits>> {
  const byOperation = new Map<string, Traits>();
  const read = async (operation: string, path: string) => {
    const body = await get(path);
    const traits: Traits = byOperation.get(operation) ?? new Map();
    byOperation.set(operation, traits);
    walk(body, '', traits);
    // biome-ignore lint/suspicious/noExplicitAny: any response of a deployment
    return body as any;
  };
  const articles = await read('listArticles', '/articles?limit=100');
  for (const { id } of (articles?.data ?? []).slice(0, 6)) await read('getArticle', `/articles/${id}`);
  for (const { id } of (await read('listSites', '/sites'))?.data ?? []) {
    await read('getSite', `/sites/${id}`);
    await read('listKeywords', `/keywords?siteId=${id}`);
  }
  for (const { accountId, status, locked } of (await read('listAccounts', '/connect/accounts'))?.data?.accounts ?? []) {
    if (status !== 'connected' || locked) continue;
    const reviews = `/connect/accounts/${accountId}/reviews`;
    for (let path: string | null = reviews; path !== null; ) {
      const cursor: unknown = (await read('listReviews', path))?.data?.nextCursor;
      path = typeof cursor === 'string' ? `${reviews}?cursor=${encodeURIComponent(cursor)}` : null;
    }
    await read('getInsights', `/connect/accounts/${accountId}/insights`);
  }
  await read('listCalls', '/connect/calls/log');
  await read('listCalls', '/connect/calls/log?since=2020-01-01T00:00:00Z&limit=200');
  return byOperation;
}

/** Compares the fields of a deployment with those of its calibrated mock, in a world of the mock. */
export async function labelsOf(
  variant: VariantName,
  profile: Profile,
  world: WorldName = 'default',
): Promise<LabelRow> {
  const original = await startIndependent({ variant, limits: false, now: () => Date.UTC(2026, 2, 10, 9) });
  const get: Get = async (path) => {
    const response = await fetch(`${original.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${original.keys.good}` },
    });
    return response.status === 200 ? response.json() : null;
  };
  const casa = await createMock({ profile, world, limits: false });
  const getMock: Get = async (path) => {
    const response = await casa.fetch(path, { headers: { authorization: `Bearer ${casa.keys.good}` } });
    return response.status === 200 ? response.json() : null;
  };
  const [theirs, ours] = [await readAll(get), await readAll(getMock)];
  await original.close();
  const known = new Set(
    [...theirs.values()].flatMap((traits) => [...traits.values()].flatMap(({ values }) => [...values])),
  );
  const fields = { contract: 0, learnt: 0, assumed: 0 };
  const differing: LabelRow['differing'][number][] = [];
  for (const [operation, traits] of theirs) {
    const table = basisOf(operation, sourceOf(profile));
    const mocks: Traits = ours.get(operation) ?? new Map();
    const paths = new Set(
      [...traits.keys(), ...mocks.keys()].filter((path) => path !== '' && !path.endsWith(' records')),
    );
    for (const path of paths) {
      const label = basisIn(table, path);
      fields[label.split(' ')[0] as BasisKind] += 1;
      const why = mocks.size === 0 ? null : whyDifferent(path, [traits, mocks], known);
      if (why !== null) differing.push({ field: `${operation} ${path}`, label, why });
    }
  }
  return { variant, world, fields, differing };
}
