// How often the labels of `x-casa-basis` are wrong: each field of the same reads of a deployment and of its calibrated
// mock, compared by code that shares nothing with the observers of calibrate.

import { type BasisKind, basisIn } from '../../src/contract/basis.ts';
import { type Profile, sourceOf } from '../../src/contract/profile.ts';
import { basisOf } from '../../src/http/basis.ts';
import type { Variant, VariantName } from '../independent/index.ts';
import { type Observer, recordsMin, visitBoth } from './visit.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a deployment by their label, and those that the mock shows differently. */
export interface LabelRow {
  readonly fields: Readonly<Record<BasisKind, number>>;
  readonly differing: readonly { readonly field: string; readonly label: string; readonly why: string }[];
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
  });
  if (a === undefined || b === undefined) return null;
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

/** Of several formats, a few records show a part: each of the mock must be one that the deployment has somewhere. */
function isOfSeveral(a: string, b: string, known: ReadonlySet<string>): boolean {
  const forms = b.split(' | ');
  return (a.includes(' | ') || forms.length > 1) && forms.every((form) => known.has(form));
}

function observeTraits(): Observer<Map<string, Traits>> {
  const facts = new Map<string, Traits>();
  const see: Observer<unknown>['see'] = ({ operation, body }) => {
    const traits: Traits = facts.get(operation) ?? new Map();
    facts.set(operation, traits);
    walk(body, '', traits);
  };
  return { see, facts };
}

/** Compares the fields of a deployment with those of its calibrated mock. */
export async function labelsOf(variant: VariantName | Partial<Variant>, profile: Profile): Promise<LabelRow> {
  const [theirs, ours] = await visitBoth({ variant }, profile, observeTraits);
  const all = [...theirs.values()].flatMap((traits) => [...traits.values()]);
  const known = new Set(all.flatMap(({ values }) => [...values]));
  const fields = { contract: 0, learnt: 0, assumed: 0 };
  const differing: LabelRow['differing'][number][] = [];
  for (const [operation, traits] of theirs) {
    const table = basisOf(operation, { learnt: sourceOf(profile) });
    const mocks: Traits = ours.get(operation) ?? new Map();
    // An account without reviews, or a deployment that rejects writes, has nothing to compare.
    if (mocks.size === 0 || traits.size === 0) continue;
    for (const path of new Set([...traits.keys(), ...mocks.keys()])) {
      if (path === '' || path.endsWith(' records')) continue;
      const label = basisIn(table, path);
      fields[label.split(' ')[0] as BasisKind] += 1;
      const why = whyDifferent(path, [traits, mocks], known);
      if (why !== null) differing.push({ field: `${operation} ${path}`, label, why });
    }
  }
  return { fields, differing };
}
