// Which readings grease draws, and from which values. The mapped type refuses a reading that is neither drawn nor kept
// for a reason.
import { type ReadingId, type Readings, readings } from '../../contract/generated/readings.ts';
import type { Shape } from '../../contract/shape.ts';
import { createRandom, type Random } from '../../domain/random.ts';

/**
 * `answer`: anew for each answer. `deployment`: once for a seed, because a deployment that changed it from answer to
 * answer would contradict itself.
 */
type Draw<Value> =
  | { readonly drawn: 'answer' | 'deployment'; readonly from: readonly Value[] | ((random: Random) => Value) }
  | { readonly kept: string };

const statusStays = { kept: 'status and code stay, so that a test expects the same with grease and without' } as const;
const recordsStay = { kept: 'the records of a page and their order stay, so that a test can name them' } as const;
const idsStay = { kept: 'ids and keys stay those of the world, so that a test can name them' } as const;
const windowsStay = { kept: 'when a request passes stays, so that a test can count requests' } as const;

/** The type that spec/openapi.yaml names, in the spellings that servers have for it. */
const mediaTypes = ['application/json; charset=utf-8', 'application/json', 'application/json;charset=UTF-8'];

/** Of each reading, whether grease draws it. */
export const draws: { readonly [Id in ReadingId]: Draw<Readings[Id]> } = {
  unknownSite: statusStays,
  articlesUnknownSite: statusStays,
  badArticleQuery: statusStays,
  badArticleLimit: statusStays,
  badArticleCursor: statusStays,
  badArticleSite: statusStays,
  malformedId: statusStays,
  malformedAccount: statusStays,
  duplicates: statusStays,
  simpleBadCode: once(['invalid_input', 'bad_request', 'validation_error']),
  issues: each(issueShapes()),
  simpleIssues: each(readings.simpleIssues.values),
  errorMessages: each(readings.errorMessages.values),
  pendingCode: statusStays,
  expiredCode: statusStays,
  revokedCode: statusStays,
  pendingApiCode: statusStays,
  lockedReads: statusStays,
  reviewEnd: each(readings.reviewEnd.values),
  reviewLastPage: once(readings.reviewLastPage.values),
  reviewPageSize: recordsStay,
  reviewAggregate: once(readings.reviewAggregate.values),
  reviewReplied: once(readings.reviewReplied.values),
  reviewIdForm: idsStay,
  inviteIdForm: once(['uuid', 'digits', 'hex', 'opaque', 'opaque, to be encoded']),
  reviewCursor: once(readings.reviewCursor.values),
  badReviewCursor: statusStays,
  articleOrder: recordsStay,
  articleEnd: once(readings.articleEnd.values),
  articlePageCap: recordsStay,
  callsBadLimit: statusStays,
  badSince: statusStays,
  callsPageCap: recordsStay,
  callSummary: each(readings.callSummary.values),
  callRecord: { drawn: 'deployment', from: drawCall },
  callCursor: { drawn: 'deployment', from: (random) => someOf(cursorForms, random) },
  snapshotCursor: once(readings.snapshotCursor.values),
  snapshotRunning: recordsStay,
  bodyCap: statusStays,
  blockedCount: windowsStay,
  retryAfter: once(readings.retryAfter.values),
  rateHeaders: once(readings.rateHeaders.values),
  rateBucket: once(readings.rateBucket.values),
  resetMeans: windowsStay,
  addressWindow: windowsStay,
  challenge: once(readings.challenge.values),
  challengeForm: once(['Bearer', 'Bearer realm', 'Bearer realm, error, error_description']),
  contentType: each(mediaTypes),
  errorContentType: each(mediaTypes),
  jsonLayout: each(readings.jsonLayout.values),
  jsonEscapes: each(readings.jsonEscapes.values),
  memberOrder: each(readings.memberOrder.values),
  envelopeOrder: each(readings.envelopeOrder.values),
  instantForm: { drawn: 'deployment', from: (random) => someOf(instantForms, random) },
  plainInstantForm: { drawn: 'deployment', from: (random) => someOf(instantForms, random) },
  insightDateForm: once(['YYYY-MM-DD', 'YYYYMMDD', 'YYYY-MM-DDThh:mm:ssZ']),
  insightPoints: recordsStay,
  insightLagDays: recordsStay,
  numbers: recordsStay,
  idCase: once(readings.idCase.values),
  idVersion: idsStay,
  extraMembers: { drawn: 'deployment', from: drawExtras },
  permalink: each(readings.permalink.values),
  repliedAt: each(readings.repliedAt.values),
  keyPrefix: idsStay,
  latency: { kept: 'answers wait with --latency only' },
};

function each<Value>(from: readonly Value[]): Draw<Value> {
  return { drawn: 'answer', from };
}

function once<Value>(from: readonly Value[]): Draw<Value> {
  return { drawn: 'deployment', from };
}

/** RFC 3339 with every digit: a client reads them with the parser of its language, and a cursor loses no article. */
const instantForms = [
  'YYYY-MM-DDThh:mm:ss.fffZ',
  'YYYY-MM-DDThh:mm:ss.fff+00:00',
  'YYYY-MM-DDThh:mm:ss.ffffffZ',
  'YYYY-MM-DDThh:mm:ss[.fff]Z',
  'YYYY-MM-DDThh:mm:ss.fff+05:30',
] as const;
/** With the nine digits that tell calls of one instant apart. */
const cursorForms = instantForms.map((form) => form.replace(/\[?\.f+\]?/, '.fffffffff'));

/** One form, or several, of which each record has one. */
function someOf(forms: readonly string[], random: Random): string {
  const chosen = forms.filter(() => random.below(2) === 0);
  return [...new Set(chosen.length === 0 ? forms.slice(0, 1) : chosen)].join(' | ');
}

/** Rulings R26: one entry for each problem, in other places and by other names. */
function issueShapes(): readonly (Shape | null)[] {
  const text: Shape = { type: 'string' };
  const at = (place: string, shape: Shape): Shape => ({ type: 'object', members: { [place]: shape } });
  const listOf = (items: Shape): Shape => ({ type: 'array', items });
  const entry = (members: Record<string, Shape>) => listOf({ type: 'object', members });
  return [
    null,
    at('error.issues', entry({ field: text, detail: text })),
    at('error.issues', listOf(text)),
    at('error.issues', entry({ code: text, path: { type: 'array' }, message: text })),
    at('issues', entry({ pointer: { type: 'string', form: 'pointer' }, message: text })),
    at('error.issues', { type: 'object', members: { any: { type: 'array' } } }),
  ];
}

/** The mock's own members under their names, since a client reads some of them, and others beside them. */
function drawCall(random: Random): Shape | null {
  const own: Shape = { type: 'string', form: 'own' };
  const form = instantForms[random.below(instantForms.length)] ?? instantForms[0];
  const instant: Shape = { type: 'string', form, nullable: true };
  const names = ['id', 'status', 'direction', 'from', 'to', 'agent', 'startedAt', 'endedAt', 'durationS', 'outcome'];
  const members = names.map((name) => [name, /At$/.test(name) ? instant : own] as const);
  const others = Object.entries(drawMembers(random));
  return random.below(3) === 0 ? null : { type: 'object', members: Object.fromEntries([...members, ...others]) };
}

/** Rulings R12, and 7.envelope.tool-extra: where the contract does not close an object. */
function drawExtras(random: Random): Shape | null {
  const kinds = ['article', 'site', 'keyword', 'envelope', 'error'].filter(() => random.below(2) === 0);
  const members = kinds.map((kind): [string, Shape] => [kind, { type: 'object', members: drawMembers(random) }]);
  return members.length === 0 ? null : { type: 'object', members: Object.fromEntries(members) };
}

function drawMembers(random: Random): Record<string, Shape> {
  const offered: readonly (readonly [name: string, shape: Shape])[] = [
    ['requestId', { type: 'string', form: 'opaque' }],
    ['docs', { type: 'string', form: 'address' }],
    ['retryable', { type: 'boolean' }],
    ['hint', { type: 'string', nullable: true, optional: true }],
    ['trace', { type: 'object', members: { span: { type: 'string', form: 'hex' }, hops: { type: 'integer' } } }],
    ['_links', { type: 'array', items: { type: 'string', form: 'address' } }],
  ];
  const [first, ...rest] = offered.filter(() => random.below(2) === 0);
  return Object.fromEntries(first === undefined ? offered.slice(0, 1) : [first, ...rest]);
}

const ids = Object.keys(draws) as ReadingId[];

/** The random profile of a seed. What differs from answer to answer is not in it. */
export function drawDeployment(seed: number): Partial<Readings> {
  return drawAll('deployment', createRandom(seed ^ 0x9ead), {});
}

/** What one answer differs in, but for what was chosen by hand. */
export function drawAnswer(random: Random, chosen: Partial<Readings>): Partial<Readings> {
  return drawAll('answer', random, chosen);
}

function drawAll(when: 'answer' | 'deployment', random: Random, chosen: Partial<Readings>): Partial<Readings> {
  const drawn = ids.flatMap((id) => {
    const draw: Draw<unknown> = draws[id];
    if (!('drawn' in draw) || draw.drawn !== when) return [];
    const { from } = draw;
    const value = typeof from === 'function' ? from(random) : from[random.below(from.length)];
    return chosen[id] === undefined ? [[id, value] as const] : [];
  });
  return Object.fromEntries(drawn) as Partial<Readings>;
}
