// How often the labels of `x-casa-basis` are wrong: each field of the same reads of a deployment and of its calibrated
// mock, compared by code that shares nothing with the observers of calibrate.

import { type BasisKind, basisIn } from '../../src/contract/basis.ts';
import type { Profile } from '../../src/contract/profile.ts';
import { sourceOf } from '../../src/contract/profile.ts';
import { createRandom } from '../../src/domain/random.ts';
import { basisOf } from '../../src/http/basis.ts';
import { createMock } from '../../src/index.ts';
import type { WorldName } from '../../src/worlds/names.ts';
import { namedVariants, startIndependent, type Variant, type VariantName } from '../independent/index.ts';

type Ask = (path: string, body?: object) => Promise<unknown>;
type Fields = Readonly<Record<string, unknown>>;

/** The fields of a deployment by their label, and those that the mock shows differently. */
export interface LabelRow {
  readonly fields: Readonly<Record<BasisKind, number>>;
  readonly differing: readonly { readonly field: string; readonly label: string; readonly why: string }[];
}

/** A deployment that nothing was adapted to: each freedom as a variant drawn by the seed has it. */
export function crossed(seed: number): Partial<Variant> {
  const random = createRandom(seed);
  const parents: readonly Readonly<Record<string, unknown>>[] = Object.values(namedVariants);
  const names = new Set(parents.flatMap((parent) => Object.keys(parent)));
  const drawn = [...names].map((name) => [name, parents[random.below(parents.length)]?.[name]]);
  return Object.fromEntries(drawn.filter(([name, value]) => value !== undefined && name !== 'world'));
}

/** Operation and path of a field -> what its values look like. */
type Traits = Map<string, { values: Set<string>; days: number; nulls: number; records: number }>;

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
  const trait = traits.get(path) ?? { values: new Set<string>(), days: 0, nulls: 0, records: 0 };
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
    if (/T00:?00(:?00)?([.,]0+)?(?!\d|:)/.test(String(child))) trait.days += 1;
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
    const { values = new Set<string>(), days = 0, nulls = 0, records = 0 } = trait ?? {};
    return {
      parent,
      values: [...values].sort().join(' | ') + (days > 0 && days === records - nulls ? ' at midnight' : ''),
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

/** The requests of a client that looks at everything. A request without success shows no field. */
async function readAll(ask: Ask): Promise<Map<string, Traits>> {
  const byOperation = new Map<string, Traits>();
  const read = async (operation: string, path: string, body?: object) => {
    const shown = await ask(path, body);
    const traits: Traits = byOperation.get(operation) ?? new Map();
    byOperation.set(operation, traits);
    walk(shown, '', traits);
    // biome-ignore lint/suspicious/noExplicitAny: any response of a deployment
    return shown as any;
  };
  const articles = await read('listArticles', '/articles?limit=100');
  for (const { id } of (articles?.data ?? []).slice(0, 20)) await read('getArticle', `/articles/${id}`);
  for (const { id } of (await read('listSites', '/sites'))?.data ?? []) {
    await read('getSite', `/sites/${id}`);
    await read('listKeywords', `/keywords?siteId=${id}`);
  }
  for (const { accountId, status, locked } of (await read('listAccounts', '/connect/accounts'))?.data?.accounts ?? []) {
    if (status !== 'connected' || locked) continue;
    const reviews = `/connect/accounts/${accountId}/reviews`;
    for (let path: string | null = reviews; path !== null; ) {
      const page = (await read('listReviews', path))?.data;
      const cursor: unknown = page?.nextCursor;
      path = typeof cursor === 'string' ? `${reviews}?cursor=${encodeURIComponent(cursor)}` : null;
      for (const { reviewId } of page?.reviews.slice(0, 2) ?? [])
        await read('replyToReview', `${reviews}/${encodeURIComponent(reviewId)}/reply`, {
          accountId,
          reviewId,
          text: 'Thanks',
        });
    }
    for (let post = 0; post < recordsMin; post += 1)
      await read('createPost', `/connect/accounts/${accountId}/posts`, { accountId, text: 'Hello' });
    await read('getInsights', `/connect/accounts/${accountId}/insights`);
  }
  for (let link = 0; link < recordsMin; link += 1)
    await read('createConnectLink', '/connect/accounts', { provider: 'tiktok', label: `Link ${link}` });
  await read('listCalls', '/connect/calls/log');
  await read('listCalls', '/connect/calls/log?since=2020-01-01T00:00:00Z&limit=200');
  return byOperation;
}

/** Compares the fields of a deployment with those of its calibrated mock, in a world of the mock. */
export async function labelsOf(
  variant: VariantName | Partial<Variant>,
  profile: Profile,
  world: WorldName = 'default',
): Promise<LabelRow> {
  const original = await startIndependent({ variant, limits: false, now: () => Date.UTC(2026, 2, 10, 9) });
  const casa = await createMock({ profile, world, limits: false });
  const asks = [
    [(path: string, init: object) => fetch(`${original.baseUrl}${path}`, init), original.keys.good],
    [(path: string, init: object) => casa.fetch(path, init), casa.keys.good],
  ] as const;
  const [get, getMock] = asks.map(
    ([send, key]): Ask =>
      async (path, body) => {
        const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
        const response = await send(path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
        return response.status === 200 ? response.json() : null;
      },
  ) as [Ask, Ask];
  const [theirs, ours] = [await readAll(get), await readAll(getMock)];
  await original.close();
  const known = new Set(
    [...theirs.values()].flatMap((traits) => [...traits.values()].flatMap(({ values }) => [...values])),
  );
  const fields = { contract: 0, learnt: 0, assumed: 0 };
  const differing: LabelRow['differing'][number][] = [];
  for (const [operation, traits] of theirs) {
    const table = basisOf(operation, { learnt: sourceOf(profile) });
    const mocks: Traits = ours.get(operation) ?? new Map();
    // An account without reviews, or a deployment that rejects writes, has nothing to compare.
    if (mocks.size === 0 || traits.size === 0) continue;
    const paths = new Set(
      [...traits.keys(), ...mocks.keys()].filter((path) => path !== '' && !path.endsWith(' records')),
    );
    for (const path of paths) {
      const label = basisIn(table, path);
      fields[label.split(' ')[0] as BasisKind] += 1;
      const why = whyDifferent(path, [traits, mocks], known);
      if (why !== null) differing.push({ field: `${operation} ${path}`, label, why });
    }
  }
  return { fields, differing };
}
