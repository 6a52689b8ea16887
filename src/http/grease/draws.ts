// Which behaviors grease draws, and from which values. The mapped type rejects a behavior that is neither drawn nor
// kept for a reason.
import { type BehaviorId, type Behaviors, behaviors } from '../../contract/generated/behaviors.ts';
import { forInputs } from '../../contract/input-classes.ts';
import type { Shape } from '../../contract/shape.ts';
import { createRandom, type Random } from '../../domain/random.ts';

/**
 * `response`: again for each response. `deployment`: once for a seed, because a deployment that varied it between
 * responses would contradict itself.
 */
type Draw<Value> =
  | { readonly drawn: 'response' | 'deployment'; readonly from: readonly Value[] | ((random: Random) => Value) }
  | { readonly kept: string };

const statusStays = { kept: 'status and code stay, so a test expects the same with grease and without' } as const;
const recordsStay = { kept: 'the records of a page and their order stay, so a test can name them' } as const;
const idsStay = { kept: 'ids and keys stay those of the world, so a test can name them' } as const;
const windowsStay = { kept: 'when a request passes stays, so a test can count requests' } as const;

/** The type that spec/openapi.yaml names, in the spellings that servers have for it. */
const mediaTypes = ['application/json; charset=utf-8', 'application/json', 'application/json;charset=UTF-8'];

/** Of each behavior, whether grease draws it. */
export const draws: { readonly [Id in BehaviorId]: Draw<Behaviors[Id]> } = {
  ...forInputs(() => statusStays),
  badArticleQuery: statusStays,
  duplicates: statusStays,
  simpleBadCode: once(['invalid_input', 'bad_request', 'validation_error']),
  issues: each(issueShapes()),
  simpleIssues: each(behaviors.simpleIssues.values),
  errorMessages: each(behaviors.errorMessages.values),
  otherMethod: statusStays,
  pendingCode: statusStays,
  expiredCode: statusStays,
  revokedCode: statusStays,
  pendingApiCode: statusStays,
  lockedReads: statusStays,
  reviewEnd: each(behaviors.reviewEnd.values),
  reviewLastPage: once(behaviors.reviewLastPage.values),
  reviewPageSize: recordsStay,
  reviewAggregate: once(behaviors.reviewAggregate.values),
  reviewReplied: once(behaviors.reviewReplied.values),
  reviewIdForm: idsStay,
  inviteIdForm: once(['uuid', 'digits', 'hex', 'opaque', 'opaque, to be encoded']),
  reviewCursor: once(behaviors.reviewCursor.values),
  articleOrder: recordsStay,
  articleEnd: once(behaviors.articleEnd.values),
  articlePageCap: recordsStay,
  callsPageCap: recordsStay,
  callSummary: each(behaviors.callSummary.values),
  callRecord: { drawn: 'deployment', from: drawCall },
  callCursor: { drawn: 'deployment', from: (random) => someOf(cursorForms, random) },
  snapshotCursor: once(behaviors.snapshotCursor.values),
  snapshotRunning: recordsStay,
  bodyCap: statusStays,
  blockedCount: windowsStay,
  retryAfter: once(behaviors.retryAfter.values),
  rateHeaders: once(behaviors.rateHeaders.values),
  rateBucket: once(behaviors.rateBucket.values),
  resetMeans: windowsStay,
  addressWindow: windowsStay,
  challenge: once(behaviors.challenge.values),
  challengeForm: once(['Bearer', 'Bearer realm', 'Bearer realm, error, error_description']),
  contentType: each(mediaTypes),
  errorContentType: each(mediaTypes),
  timestampForm: { drawn: 'deployment', from: (random) => someOf(timestampForms, random) },
  plainTimestampForm: { drawn: 'deployment', from: (random) => someOf(timestampForms, random) },
  insightDateForm: once(['YYYY-MM-DD', 'YYYYMMDD', 'YYYY-MM-DDThh:mm:ssZ']),
  insightPoints: recordsStay,
  insightLagDays: recordsStay,
  numbers: recordsStay,
  idCase: once(behaviors.idCase.values),
  idVersion: idsStay,
  extraFields: { drawn: 'deployment', from: drawExtras },
  records: { kept: 'fields and their nulls are data of the world' },
  permalink: each(behaviors.permalink.values),
  repliedAt: each(behaviors.repliedAt.values),
  keyPrefix: idsStay,
  latency: { kept: 'responses wait with --latency only' },
};

function each<Value>(from: readonly Value[]): Draw<Value> {
  return { drawn: 'response', from };
}

function once<Value>(from: readonly Value[]): Draw<Value> {
  return { drawn: 'deployment', from };
}

/** RFC 3339 with every digit: a client reads them with the parser of its language, and a cursor loses no article. */
const timestampForms = [
  'YYYY-MM-DDThh:mm:ss.fffZ',
  'YYYY-MM-DDThh:mm:ss.fff+00:00',
  'YYYY-MM-DDThh:mm:ss.ffffffZ',
  'YYYY-MM-DDThh:mm:ss[.fff]Z',
  'YYYY-MM-DDThh:mm:ss.fff+05:30',
] as const;
/** With the nine digits that distinguish calls of one timestamp. */
const cursorForms = timestampForms.map((form) => form.replace(/\[?\.f+\]?/, '.fffffffff'));

/** One form, or several, of which each record has one. */
function someOf(forms: readonly string[], random: Random): string {
  const chosen = forms.filter(() => random.below(2) === 0);
  return [...new Set(chosen.length === 0 ? forms.slice(0, 1) : chosen)].join(' | ');
}

/** Interpretation R26: one entry for each problem, in other places and by other names. */
function issueShapes(): readonly (Shape | null)[] {
  const text: Shape = { type: 'string' };
  const at = (place: string, shape: Shape): Shape => ({ type: 'object', fields: { [place]: shape } });
  const listOf = (items: Shape): Shape => ({ type: 'array', items });
  const entry = (fields: Record<string, Shape>) => listOf({ type: 'object', fields });
  return [
    null,
    at('error.issues', entry({ field: text, detail: text })),
    at('error.issues', listOf(text)),
    at('error.issues', entry({ code: text, path: { type: 'array' }, message: text })),
    at('issues', entry({ pointer: { type: 'string', form: 'pointer' }, message: text })),
    at('error.issues', { type: 'object', fields: { any: { type: 'array' } } }),
  ];
}

/** The mock's own fields under their names, since a client reads some of them, and others next to them. */
function drawCall(random: Random): Shape | null {
  const own: Shape = { type: 'string', form: 'own' };
  const form = timestampForms[random.below(timestampForms.length)] ?? timestampForms[0];
  const timestamp: Shape = { type: 'string', form, nullable: true };
  const names = ['id', 'status', 'direction', 'from', 'to', 'agent', 'startedAt', 'endedAt', 'durationS', 'outcome'];
  const fields = names.map((name) => [name, /At$/.test(name) ? timestamp : own] as const);
  const others = Object.entries(drawFields(random));
  return random.below(3) === 0 ? null : { type: 'object', fields: Object.fromEntries([...fields, ...others]) };
}

/** Interpretation R12, and 7.envelope.tool-extra: where the contract does not close an object. */
function drawExtras(random: Random): Shape | null {
  const kinds = ['article', 'site', 'keyword', 'envelope', 'error'].filter(() => random.below(2) === 0);
  const fields = kinds.map((kind): [string, Shape] => [kind, { type: 'object', fields: drawFields(random) }]);
  return fields.length === 0 ? null : { type: 'object', fields: Object.fromEntries(fields) };
}

function drawFields(random: Random): Record<string, Shape> {
  const offered: readonly (readonly [name: string, shape: Shape])[] = [
    ['requestId', { type: 'string', form: 'opaque' }],
    ['docs', { type: 'string', form: 'address' }],
    ['retryable', { type: 'boolean' }],
    ['hint', { type: 'string', nullable: true, optional: true }],
    ['trace', { type: 'object', fields: { span: { type: 'string', form: 'hex' }, hops: { type: 'integer' } } }],
    ['_links', { type: 'array', items: { type: 'string', form: 'address' } }],
  ];
  const [first, ...rest] = offered.filter(() => random.below(2) === 0);
  return Object.fromEntries(first === undefined ? offered.slice(0, 1) : [first, ...rest]);
}

const ids = Object.keys(draws) as BehaviorId[];

/** The random profile of a seed, without the behaviors that vary between responses. */
export function drawDeployment(seed: number): Partial<Behaviors> {
  return drawAll('deployment', createRandom(seed ^ 0x9ead), {});
}

/** Draws the behaviors that vary between responses, except those chosen by hand. */
export function drawResponse(random: Random, chosen: Partial<Behaviors>): Partial<Behaviors> {
  return drawAll('response', random, chosen);
}

function drawAll(when: 'response' | 'deployment', random: Random, chosen: Partial<Behaviors>): Partial<Behaviors> {
  const drawn = ids.flatMap((id) => {
    const draw: Draw<unknown> = draws[id];
    if (!('drawn' in draw) || draw.drawn !== when) return [];
    const { from } = draw;
    const value = typeof from === 'function' ? from(random) : from[random.below(from.length)];
    return chosen[id] === undefined ? [[id, value] as const] : [];
  });
  return Object.fromEntries(drawn) as Partial<Behaviors>;
}
