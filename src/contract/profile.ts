// A profile: how one deployment reads what the contract leaves open, as `conformance calibrate` writes it and
// `casa mock --profile` takes it. Forms and shapes, and never a value of a customer or a key.

import { alternatives, isPlainTimestampForm, isTimestampForm } from './forms.ts';
import { type BehaviorId, type Behaviors, behaviors } from './generated/behaviors.ts';
import type { OperationId } from './generated/operations.ts';
import { fields } from './generated/record-fields.ts';
import { isObject } from './json.ts';
import { type Shape, whyNoShape } from './shape.ts';

/** A detected behavior. `seen` counts the places that showed it. */
export interface Learnt {
  readonly value: Behaviors[BehaviorId];
  readonly seen: number;
  /** Shares of the values, if a deployment alternates; `value` is the one that a mock uses. */
  readonly mixed?: Readonly<Record<string, number>>;
  /** Inputs of the same class had different responses. */
  readonly varies?: boolean;
}

/** A breach of the contract stays a failure, and no mock learns it. */
export interface NotLearnt {
  readonly behavior: BehaviorId | null;
  readonly check: string;
  readonly clause: string;
  readonly sentence: string;
}

/** The file. Its schema is published (`casa-kit/profile.schema.json`). */
export interface Profile {
  readonly $schema?: string;
  readonly casaProfile: 1;
  /** Versions of the kit that wrote it, and of the contract. */
  readonly kit: string;
  readonly contract: string;
  /** Host of the deployment, or its origin if it does not use TLS, and the day. */
  readonly target: string;
  readonly learntOn: string;
  /** Successes of each operation; absent in a file that was written by hand. */
  readonly responses?: { readonly [Id in OperationId]?: number };
  readonly behaviors: { readonly [Id in BehaviorId]?: Learnt };
  /** Behaviors that could not be detected, with the reason. */
  readonly unknown: { readonly [Id in BehaviorId]?: string };
  readonly notLearnt: readonly NotLearnt[];
}

const idForms = ['uuid', 'UUID', 'digits', 'hex', 'opaque', 'opaque, to be encoded'];
const mediaType = /^application\/([\w.+-]+\+)?json *(;[ -~]*)?$/i;

/** Validators of the forms that are not free text. */
const formChecks: { readonly [Id in BehaviorId]?: (form: string) => boolean } = {
  simpleBadCode: (form) => /^[a-z][a-z0-9_.-]{0,40}$/i.test(form),
  reviewIdForm: (form) => idForms.includes(form),
  inviteIdForm: (form) => idForms.includes(form),
  challengeForm: (form) => /^[a-z]{1,20}( [a-z_]{1,30}(, [a-z_]{1,30}){0,7})?$/i.test(form),
  callCursor: isTimestampForm,
  contentType: (form) => mediaType.test(form),
  errorContentType: (form) => mediaType.test(form),
  timestampForm: isTimestampForm,
  plainTimestampForm: isPlainTimestampForm,
  insightDateForm: isPlainTimestampForm,
  keyPrefix: (form) => /^[a-z0-9]{1,12}$/i.test(form),
};

/** Of all alternatives of a form together. */
export const formMax = 400;
const shares = 12;

/** Null for a value that the behavior may have, or what is wrong with it. */
export function whyNoBehavior(id: BehaviorId, value: unknown): string | null {
  const { kind, ...row } = behaviors[id];
  if (kind === 'shape') return value === null ? null : whyNoShape(value);
  if (kind === 'timing') return value === null || isQuantiles(value) ? null : 'has no three quantiles in milliseconds';
  if (kind === 'size') {
    const [min, max] = 'range' in row ? row.range : [0, 0];
    const isIn = Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
    return isIn ? null : `is not a whole number from ${min} to ${max}`;
  }
  if (typeof value !== 'string') return 'is no text';
  if (kind === 'form') {
    const isForm = value.length <= formMax && alternatives(value).every((form) => formChecks[id]?.(form) ?? true);
    return isForm ? null : 'is not a form that the contract allows';
  }
  const values: readonly string[] = 'values' in row ? row.values : [];
  return values.includes(value) ? null : `is not one of ${values.join(', ')}`;
}

function isQuantiles(value: unknown): boolean {
  if (!isObject(value)) return false;
  return ['p50', 'p90', 'p99'].every((name) => Number(value[name]) >= 0 && Number(value[name]) <= 600_000);
}

/** Reads a profile from JSON. Throws a RangeError of one sentence for anything else. */
export function readProfile(value: unknown): Profile {
  if (!isObject(value) || value.casaProfile !== 1)
    throw new RangeError('it is not a profile: conformance calibrate writes one, with "casaProfile": 1');
  const learnt = value.behaviors;
  if (!isObject(learnt)) throw new RangeError('it has no behaviors');
  for (const [id, entry] of Object.entries(learnt)) {
    if (!isBehaviorId(id))
      throw new RangeError(
        `there is no behavior "${id.slice(0, 60)}"; remove it from "behaviors", or run conformance calibrate again`,
      );
    if (!isObject(entry) || entry.value === undefined) throw new RangeError(`the behavior ${id} has no value`);
    const problem = whyNoBehavior(id, entry.value);
    if (problem !== null) throw new RangeError(`the behavior ${id} ${problem}`);
    if (entry.mixed !== undefined && !(isObject(entry.mixed) && Object.keys(entry.mixed).length <= shares))
      throw new RangeError(`the behavior ${id} has shares that cannot be read`);
  }
  const told = Object.entries(isObject(value.unknown) ? value.unknown : {});
  const unknown = Object.fromEntries(told.filter(([id]) => isBehaviorId(id)));
  const notLearnt = Array.isArray(value.notLearnt) ? value.notLearnt : [];
  return { ...value, unknown, notLearnt } as unknown as Profile;
}

/** Returns the value of each detected behavior, for a mock. Chosen ones take precedence. */
export function behaviorsOf({ behaviors: learnt }: Profile, chosen: Partial<Behaviors> = {}): Partial<Behaviors> {
  const values: Partial<Behaviors> = Object.fromEntries(Object.entries(learnt).map(([id, each]) => [id, each?.value]));
  const hidden = Object.entries(inRecords).flatMap(([id, isHidden]) => (id in chosen ? [isHidden] : []));
  const records = withoutForms(values.records, (form, name) => hidden.some((isHidden) => isHidden(form, name)));
  return { ...values, ...(records && { records }), ...chosen };
}

const ofPages: ReadonlySet<string> = new Set(['nextCursor', 'aggregate']);
const isDay = (name: string) => /^(startDate|endDate|date)$/.test(name);

/** Behaviors that `records` has for each field too. */
const inRecords: { readonly [Id in BehaviorId]?: (form: string, name: string) => boolean } = {
  idCase: (form) => /^uuid$/i.test(form),
  timestampForm: (_form, name) => /^(created|updated|published)At$/.test(name),
  plainTimestampForm: (form, name) => isPlainTimestampForm(form) && !/^(created|updated|published)At$/.test(name),
  insightDateForm: (_form, name) => isDay(name),
  reviewEnd: (_form, name) => name === 'nextCursor',
  reviewAggregate: (_form, name) => name === 'aggregate',
};

function withoutForms<Value extends Shape | null | undefined>(
  shape: Value,
  isHidden: (form: string, name: string) => boolean,
  of = '',
): Value {
  if (!shape) return shape;
  const { form, fields: own, ...rest } = shape;
  const kept = Object.entries(own ?? {}).filter(([name]) => !(ofPages.has(name) && isHidden('', name)));
  const inner = kept.map(([name, field]) => [name, withoutForms(field, isHidden, name)]);
  const shown = form === undefined || isHidden(form, of) ? {} : { form };
  return { ...rest, ...shown, ...(own && { fields: Object.fromEntries(inner) }) } as Value;
}

/** When and how often a deployment showed the behaviors of a profile. */
export interface LearntFrom {
  /** The day, as `2026-11-24`. */
  readonly on: string;
  readonly seen: { readonly [Id in BehaviorId]?: number };
  /** Host of the deployment; absent in a file that was written by hand. */
  readonly target?: string;
  /** Why the other behaviors are unknown. */
  readonly unknown?: Profile['unknown'];
  readonly responses?: Profile['responses'];
  /** Fields such as `Article.seoScore` that no record showed, or that some lack where the mock shows null (R13). */
  readonly leftOut?: readonly string[];
}

export function sourceOf({ learntOn, target, unknown, responses, behaviors: learnt }: Profile): LearntFrom {
  return {
    on: learntOn,
    target,
    unknown,
    responses,
    leftOut: leftOutOf((learnt.records?.value as Shape | undefined)?.fields),
    seen: Object.fromEntries(Object.entries(learnt).map(([id, entry]) => [id, entry?.seen ?? 0])),
  };
}

/** The kinds of records in a profile, by their object. */
const kinds = {
  Article: 'article',
  Site: 'site',
  Keyword: 'keyword',
  ConnectedAccount: 'account',
  PendingInvite: 'invite',
  ReviewItem: 'review',
} as const;
const describedByBehaviors: ReadonlySet<string> = new Set(['replied', 'replyText']);

function leftOutOf(records: Readonly<Record<string, Shape>> | undefined): string[] {
  if (records === undefined) return [];
  const unseen = Object.entries(kinds).flatMap(([object, kind]) =>
    fields[object as keyof typeof kinds].flatMap((name) => {
      const field = records[kind]?.fields?.[name];
      const isSeen = field !== undefined || (records[kind] !== undefined && describedByBehaviors.has(name));
      return isSeen && !(field?.optional && field.nullable) ? [] : [`${object}.${name}`];
    }),
  );
  return [...unseen, ...(records.unratedPage === undefined ? ['ListReviewsOutput.aggregate'] : [])];
}

/** How a mock came to its behaviors. A save file and a snapshot keep it. */
export interface BehaviorsSource {
  /** By hand, or from a profile. */
  readonly chosen: Partial<Behaviors>;
  /** The seed that draws further ones; null for none. */
  readonly grease: number | null;
  /** Of those from a profile. */
  readonly learnt?: LearntFrom | undefined;
}

/** Null for behaviors that a file may hold, or what is wrong with them. */
export function whyNoSource(value: unknown): string | null {
  if (!isObject(value) || !isObject(value.chosen)) return 'it has no behaviors that were chosen';
  const { chosen, grease } = value;
  const isSeed = grease === null || (Number.isInteger(grease) && Number(grease) >= 0 && Number(grease) <= 0xffff_ffff);
  if (!isSeed) return 'its grease is not a seed';
  const { learnt } = value;
  if (learnt !== undefined && !(isObject(learnt) && isObject(learnt.seen) && /^[\d-]{10}$/.test(String(learnt.on))))
    return 'it does not say when its behaviors were learnt';
  for (const [id, behavior] of Object.entries(chosen)) {
    if (!isBehaviorId(id)) return `there is no behavior "${id.slice(0, 60)}"`;
    const problem = whyNoBehavior(id, behavior);
    if (problem !== null) return `the behavior ${id} ${problem}`;
  }
  return null;
}

/** Whether a text names a behavior. */
export function isBehaviorId(id: string): id is BehaviorId {
  return Object.hasOwn(behaviors, id);
}
