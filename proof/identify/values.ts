// The values of the matrix, by behavior: all if there are few, otherwise examples.
import { type BehaviorId, type Behaviors, behaviors } from '../../src/contract/generated/behaviors.ts';
import type { Shape } from '../../src/contract/shape.ts';

const object = (fields: Record<string, Shape>): Shape => ({ type: 'object', fields });
const list = (items: Shape): Shape => ({ type: 'array', items });
const string: Shape = { type: 'string' };
const array: Shape = { type: 'array' };
const text = (form: string): Shape => ({ type: 'string', form });
const number = (type: 'number' | 'integer', form: string, nullable = false): Shape => ({
  ...{ type, form },
  ...(nullable && { nullable }),
});
const offsetForm = 'YYYY-MM-DDThh:mm:ss+05:30';

/** A missing behavior of an open kind does not compile. */
const samples: { readonly [Id in OpenId]: readonly Behaviors[Id][] } = {
  simpleBadCode: ['invalid_input', 'bad_request', 'VALIDATION'],
  issues: [
    object({ 'error.issues': list(object({ message: string, path: text('pointer'), rule: string })) }),
    object({ issues: list(string) }),
    object({ 'error.details.issues': list(object({ field: string, problem: string })) }),
    object({ 'error.issues': object({ any: array }) }),
    object({ 'error.issues': object({ fieldErrors: object({ any: array }), formErrors: array }) }),
    object({ 'error.issues': list(object({ code: string, message: string, path: array })) }),
  ],
  reviewPageSize: [10, 3, 7, 25],
  reviewIdForm: ['opaque', 'digits', 'uuid', 'opaque, to be encoded', 'hex', 'UUID'],
  inviteIdForm: ['uuid', 'digits', 'opaque, to be encoded', 'hex', 'UUID'],
  articlePageCap: [100, 9, 20, 50],
  callsPageCap: [200, 33, 7],
  callRecord: [
    object({
      call_sid: text('uuid'),
      log_id: text('call-+opaque'),
      to: text('telephone +9 9 9'),
      started_at: number('number', 'epoch seconds'),
      ended_at: number('number', 'epoch seconds', true),
      result: object({ code: { type: 'string', values: ['answered', 'busy', 'no response'] }, note: { type: 'null' } }),
    }),
    object({
      ref: { type: 'integer' },
      recording: text('rec_+hex'),
      caller: text('telephone +9'),
      began: number('integer', 'epoch milliseconds'),
      over: number('integer', 'epoch milliseconds', true),
      seconds: text('digits'),
      is_missed: { type: 'boolean' },
    }),
    object({
      call: object({ uid: text('uuid'), phone: text('telephone +9 (9) 9-9') }),
      timing: object({ start: text(offsetForm), end: { ...text(offsetForm), nullable: true } }),
      recording: text('address'),
    }),
  ],
  callCursor: [
    'YYYY-MM-DDThh:mm:ss.fffffffffZ',
    'YYYY-MM-DDThh:mm:ss.fffZ',
    'YYYY-MM-DDThh:mm:ssZ',
    'YYYYMMDDThhmmss,fffffffff+0530',
    'YYYY-MM-DDThh:mm:ss.fff-08:00',
  ],
  contentType: [
    'application/json; charset=utf-8',
    'application/json',
    'application/vnd.service.v1+json; charset=UTF-8',
  ],
  challengeForm: ['Bearer', 'Bearer realm', 'Bearer realm, error, error_description'],
  errorContentType: ['application/json; charset=utf-8', 'application/problem+json', 'application/json'],
  timestampForm: [
    'YYYY-MM-DDThh:mm:ss.fffZ',
    'YYYY-MM-DDThh:mm:ss+00:00',
    'YYYYMMDDThhmmss,fff+0530',
    'YYYY-MM-DDThh:mmZ',
    'YYYY-MM-DDThh:mm:ss.ffffff-08:00',
    'YYYY-MM-DDThh:mm:ss.fff',
    'YYYY-MM-DDThh:mm:ss.fffZ | YYYYMMDDThhmmss,fff+0530',
  ],
  plainTimestampForm: [
    'YYYY-MM-DDThh:mm:ss.fffZ',
    'epoch seconds',
    'RFC 1123',
    'YYYY-MM-DD',
    'epoch milliseconds',
    'YYYY-MM-DD hh:mm:ss',
  ],
  insightDateForm: ['YYYY-MM-DD', 'YYYYMMDD', 'YYYY-MM-DDThh:mm:ssZ'],
  insightLagDays: [0, 1, 3],
  extraFields: [
    null,
    object({
      article: object({ revision: { type: 'integer' }, links: object({ self: text('address') }) }),
      error: object({ docs: text('address'), retryable: { type: 'boolean' } }),
      simpleError: object({ trace: text('hex') }),
      envelope: object({ requestId: text('uuid') }),
      errorEnvelope: object({ requestId: text('uuid') }),
    }),
    object({ keyword: object({ trend: { type: 'integer' } }), site: object({ archived: { type: 'boolean' } }) }),
  ],
  records: [null],
  keyPrefix: ['casa', 'sk', 'live9'],
  latency: [{ p50: 40, p90: 90, p99: 200 }],
};

type OpenId = {
  [Id in BehaviorId]: (typeof behaviors)[Id]['kind'] extends 'behavior' | 'order' | 'rate' ? never : Id;
}[BehaviorId];

export function valuesOf(id: BehaviorId): readonly Behaviors[BehaviorId][] {
  const row = behaviors[id];
  return 'values' in row ? (row.values as readonly Behaviors[BehaviorId][]) : samples[id as OpenId];
}

/** Behaviors that hide others, and so need a separate run. */
export const separate: { readonly [Id in BehaviorId]?: string } = {
  articleEnd: 'with a cap the last page is many pages away',
  articlePageCap: 'with a cap a limit that is clamped looks like one that is ignored',
  callsPageCap: 'with a cap a limit that is clamped looks like one that is ignored',
  rateHeaders: 'without headers their window is unknown',
  rateBucket: 'what Reset means is read off one window',
  insightPoints: 'without points or metrics, formats of numbers and dates are unknown',
  addressWindow: 'the aligned window and the tokens end at other times',
  reviewLastPage: 'the last page with reviews has a cursor too',
};

/** Values that a read-only run cannot detect, each with its reason. */
export function whyNotDetected(id: BehaviorId, value: unknown): string | null {
  const row = behaviors[id];
  if ('unseen' in row) return row.unseen;
  const blind: Readonly<Record<string, string>> = 'blind' in row ? row.blind : {};
  if (typeof value === 'string' && blind[value] !== undefined) return blind[value];
  if (id === 'records') return 'it has the shares of the world, and a test of its own';
  if (id === 'permalink' || id === 'repliedAt') return 'only a write shows it, and the matrix is read-only';
  if (id === 'latency') return 'the clock of the matrix stands still while a response is made';
  if (value === 'not_supported') return 'the world of the matrix has no such account of google_business';
  if (id === 'articlePageCap' && value === 100) return 'the world of the matrix has less than 100 articles';
  return null;
}
