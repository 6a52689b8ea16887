// A success as a deployment writes it: operation by operation, the freedom that the contract leaves.

import type { CallRecord } from '../../contract/basis.ts';
import {
  alternatives,
  isPlainTimestampForm,
  isTimestampForm,
  timestampStepNs,
  writePlainTimestamp,
  writeTimestamp,
} from '../../contract/forms.ts';
import type { Behaviors } from '../../contract/generated/behaviors.ts';
import type {
  CreatePostResponse,
  ListAccountsResponse,
  ListCallsResponse,
  ListReviewsResponse,
  ReplyToReviewResponse,
} from '../../contract/generated/types.ts';
import { lackOn } from '../../contract/review-pages.ts';
import { recordForm, type Shape, type Share } from '../../contract/shape.ts';
import { formatTimestamp, parseTimestamp, parseTimestampMs } from '../../contract/timestamps.ts';
import { hashToUnit } from '../../domain/random.ts';
import { idInForm } from '../../domain/style-world.ts';
import type { AnyOperation } from '../route.ts';
import { invent, oneOf } from './invent.ts';

export interface Writing {
  readonly behaviors: Behaviors;
  readonly operation: AnyOperation['id'] | null;
  /** Counts values that vary between responses, so both sides of a mixture alternate. */
  readonly turn: () => number;
}

type Fields = Record<string, unknown>;
type Record_ = 'article' | 'site' | 'keyword' | 'envelope' | 'error' | 'simpleError' | 'errorEnvelope';

/** Records first, whose timestamps are the mock's own; then the spelling of every value. */
export function writeSuccess(body: unknown, writing: Writing): unknown {
  const { operation, behaviors } = writing;
  const write = operation === null ? undefined : writers[operation];
  const shaped = write ? write(body, writing) : body;
  const spelt = spell(shaped, writing, { name: '', kind: kindOf[operation ?? ''] }) as Fields;
  const { summary } = spelt;
  const subject = { kind: 'envelope', name: String(summary), of: operation ?? '' };
  const told = typeof summary === 'string' ? conform({ summary }, behaviors, subject) : {};
  // The cursor is the text of the last createdAt. Cites 4.articles.list.cursor-value.
  const last = operation === 'listArticles' ? (spelt.data as Fields[]).at(-1)?.createdAt : undefined;
  const cursor = typeof spelt.cursor === 'string' && last !== undefined ? { cursor: last } : {};
  return { ...spelt, ...cursor, ...told, ...extrasOf(behaviors, 'envelope', operation ?? '', operation) };
}

/**
 * Fields beyond the listed ones, as learnt for one kind of record; the same for a record whenever it is shown. An
 * operation can have others than the rest.
 */
export function extrasOf({ extraFields }: Behaviors, kind: Record_, name: string, operation: string | null): Fields {
  const shape = extraFields?.fields?.[`${operation}.${kind}`] ?? extraFields?.fields?.[kind];
  return shape === undefined ? {} : (invent(shape, { name, startMs: 1_767_225_600_000, endMs: null }) as Fields);
}

const writers: { readonly [operation: string]: (body: unknown, writing: Writing) => unknown } = {
  listArticles: withExtras('article'),
  getArticle: withExtras('article'),
  listSites: withExtras('site'),
  getSite: withExtras('site'),
  listKeywords: withExtras('keyword'),
  listAccounts: (body, { behaviors }) => {
    const { data, ...rest } = body as ListAccountsResponse;
    const { inviteIdForm } = behaviors;
    const accounts = data.accounts.map((account) =>
      conform(account, behaviors, { kind: 'account', name: account.accountId, of: account.status }),
    );
    const pendingInvites = data.pendingInvites.map((invite) => ({
      ...conform(invite, behaviors, { kind: 'invite', name: invite.id }),
      id: inviteIdForm === 'uuid' ? invite.id : inviteId(invite.id, inviteIdForm),
    }));
    return { ...rest, data: { ...data, accounts, pendingInvites } };
  },
  listReviews: (body, writing) => writeReviews(body as ListReviewsResponse, writing),
  listCalls: (body, writing) => writeCalls(body as ListCallsResponse, writing),
  createPost: (body, { behaviors }) => {
    const { data, ...rest } = body as CreatePostResponse;
    return { ...rest, data: behaviors.permalink === 'null' ? { ...data, permalink: null } : data };
  },
  replyToReview: (body, { behaviors }) => {
    const { data, ...rest } = body as ReplyToReviewResponse;
    return { ...rest, data: behaviors.repliedAt === 'null' ? { ...data, repliedAt: null } : data };
  },
};

/** An opaque one is no UUID. */
function inviteId(id: string, form: string): string {
  return form === 'opaque' ? `inv-${id}` : idInForm(id, form);
}

/** On a list and on a single record alike. */
function withExtras(kind: Record_) {
  return (body: unknown, { behaviors, operation }: Writing): unknown => {
    const { data, ...rest } = body as { data: Fields | Fields[] };
    const add = (record: Fields) => {
      const subject = { kind, name: String(record.id), of: String(record.status) };
      return { ...conform(record, behaviors, subject), ...extrasOf(behaviors, kind, subject.name, operation) };
    };
    return { data: Array.isArray(data) ? data.map(add) : add(data), ...rest };
  };
}

function writeReviews({ data, ...rest }: ListReviewsResponse, { behaviors, turn }: Writing): unknown {
  const { reviews, nextCursor, ...others } = data;
  const { reviewReplied, reviewEnd, records } = behaviors;
  const isSettled = lackOn(records, 'lastPage', 'end') !== undefined;
  const isAbsent = !isSettled && (reviewEnd === 'absent' || (reviewEnd === 'either' && turn() % 2 === 0));
  const isLeftOut = nextCursor === undefined || (nextCursor === null && isAbsent);
  const shown = reviews.map(({ replied, replyText, ...review }) => {
    const text = replyText === undefined || /none|without-text/.test(reviewReplied) ? {} : { replyText };
    const isTold = reviewReplied.startsWith('always') || (/^when-replied/.test(reviewReplied) && replied === true);
    const conforming = conform(review, behaviors, { kind: 'review', name: review.reviewId });
    return { ...conforming, ...(isTold ? { replied: replied ?? false } : {}), ...text };
  });
  return { ...rest, data: { reviews: shown, ...(isLeftOut ? {} : { nextCursor }), ...others } };
}

/** Cites 2.call-record: the fields of a record are unspecified. */
function writeCalls({ data, summary, ...rest }: ListCallsResponse, { behaviors }: Writing): unknown {
  const { callRecord, callCursor, callSummary } = behaviors;
  const calls = (data.calls as unknown as CallRecord[]).map((call) => {
    if (callRecord === null) return call;
    const endMs = call.endedAt === null ? null : parseTimestampMs(call.endedAt);
    return invent(callRecord, { name: call.id, startMs: parseTimestampMs(call.startedAt) ?? 0, endMs, own: call });
  });
  const { nextCursor } = data;
  const cursor = nextCursor === null ? null : writeCursor(nextCursor, callCursor);
  const told = summary === undefined || callSummary === 'absent' ? {} : { summary };
  return { ...rest, data: { calls, nextCursor: cursor }, ...told };
}

/** A cursor keeps every digit that distinguishes calls. */
function writeCursor(cursor: string, form: string): string {
  const timestamp = parseTimestamp(cursor);
  if (timestamp === null || !isTimestampForm(alternatives(form)[0] ?? '')) return cursor;
  const digits = timestamp % 1_000_000n === 0n ? 0 : 9;
  return writeTimestamp(timestamp, oneOf(form, cursor), digits);
}

const timestamps: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'publishedAt']);
const plainTimestamps: ReadonlySet<string> = new Set(['connectedAt', 'expiresAt', 'repliedAt', 'receivedAt']);
const days: ReadonlySet<string> = new Set(['startDate', 'endDate', 'date']);
const ownIds: ReadonlySet<string> = new Set(['id', 'accountId']);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The kind of the records of an operation, or of a list. */
const kindOf: Readonly<Record<string, string>> = {
  ...{ listArticles: 'article', getArticle: 'article', listSites: 'site', getSite: 'site', listKeywords: 'keyword' },
  ...{ accounts: 'account', pendingInvites: 'invite', reviews: 'review', range: 'range', points: 'point' },
  ...{ createConnectLink: 'link', replyToReview: 'reply' },
};

/** A place in a body: the name of the field, and the kind of its record. */
interface Place {
  readonly name: string;
  readonly kind: string | undefined;
  /** The id of the record. */
  readonly record?: unknown;
}

/** Timestamps, days and ids in the handwriting of the deployment. A cursor is written as the time that it is. */
function spell(value: unknown, writing: Writing, place: Place): unknown {
  if (Array.isArray(value)) return value.map((item) => spell(item, writing, place));
  if (typeof value === 'string') return spellText(value, writing, place);
  if (value === null || typeof value !== 'object') return value;
  // Records of calls are invented as a whole.
  if (place.name === 'calls') return value;
  const { id, accountId, reviewId } = value as Fields;
  const record = id ?? accountId ?? reviewId ?? place.record;
  const placeOf = (name: string) => ({ name, kind: kindOf[name] ?? place.kind, record });
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, spell(field, writing, placeOf(key))]));
}

function spellText(text: string, writing: Writing, place: Place): string {
  const { behaviors, operation } = writing;
  const { name, kind, record } = place;
  const { timestampForm, plainTimestampForm, insightDateForm } = behaviors;
  const isPlain = plainTimestamps.has(name) || (operation === 'listReviews' && name === 'date');
  const isDay = operation === 'getInsights' && days.has(name);
  if (timestamps.has(name) || isPlain || isDay) {
    const own = ownForm(writing, place);
    // A record has one form, or each of its timestamps has one.
    const isOfRecord = own !== undefined && behaviors.records?.fields?.[kind ?? '']?.form === recordForm;
    const by = isOfRecord ? String(record) : text;
    if (isDay) return restyleDay(text, oneOf(own ?? insightDateForm, by));
    if (isPlain) return restylePlain(text, oneOf(own ?? similarForm(behaviors, name) ?? plainTimestampForm, by));
    return restyle(
      text,
      oneOf(own !== undefined && isTimestampForm(alternatives(own)[0] ?? '') ? own : timestampForm, by),
    );
  }
  if (operation === 'listArticles' && name === 'cursor') return restyle(text, oneOf(timestampForm, text));
  return uuid.test(text) && isUpperCase(behaviors, { name, kind }) ? text.toUpperCase() : text;
}

/** The records of a profile show the case of each kind of id. `inviteIdForm` describes the ids of invites. */
function isUpperCase({ records, idCase }: Behaviors, { name, kind = '' }: Place): boolean {
  if (kind === 'invite' || !(ownIds.has(name) || name === 'siteId')) return false;
  const form = records?.fields?.[kind]?.fields?.[name]?.form;
  if (form === 'uuid' || form === 'UUID') return form === 'UUID';
  return idCase === 'upper' || (idCase === 'mixed' && ownIds.has(name));
}

function restyle(text: string, form: string): string {
  const timestamp = parseTimestamp(text);
  if (timestamp === null) return text;
  return writeTimestamp(timestamp, form, timestampStepNs(form) <= 1_000_000n ? digitsOf(timestamp) : 0);
}

/** A world may hold timestamps with more digits than milliseconds have; a cursor without them would lose articles. */
function digitsOf(timestamp: bigint): number {
  return timestamp % 1_000_000n === 0n ? 0 : timestamp % 1_000n === 0n ? 6 : 9;
}

/** Midnight in the zone of the form: elsewhere it can be another day. */
function restyleDay(day: string, form: string): string {
  const [, hours = '+00', minutes = '00'] = /([+-]\d\d):?(\d\d)$/.exec(form) ?? [];
  return restylePlain(`${day}T00:00:00${hours}:${minutes}`, form);
}

function restylePlain(text: string, form: string): string {
  const ms = parseTimestampMs(text);
  return ms === null ? text : writePlainTimestamp(ms, form);
}

// Records of the mock in the proportions of a deployment: which fields are null, left out or empty.

/** A kind of record, and how one is named. `of` is the word on which its nulls depend. */
interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly of?: string | undefined;
}

/** Everything follows from the name of the record, so it reads the same whenever it is read. */
function conform<Record_ extends object>(record: Record_, { records }: Behaviors, subject: Subject): Record_ {
  const fields = records?.fields?.[subject.kind]?.fields;
  if (fields === undefined) return record;
  const shown = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const shape = fields[name];
    if (shape === undefined) return [[name, value]];
    const chance = hashToUnit(`${subject.name} ${name} shown`);
    if (chance < shareOf(shape.absent, subject.of)) return [];
    if (chance < shareOf(shape.nulls ?? (shape.type === 'null' ? 1 : 0), subject.of)) return [[name, null]];
    if (typeof value === 'string' && chance < shareOf(shape.blanks, subject.of)) return [[name, '']];
    return [[name, shownValue(value, name, { shape, record: record as Fields, subject })]];
  });
  return Object.fromEntries(shown) as Record_;
}

function shareOf(share: Share | undefined, of: string | undefined): number {
  if (share === undefined || typeof share === 'number') return share ?? 0;
  // A class that nothing showed is like most others.
  const shares = Object.values(share);
  return share[of ?? ''] ?? Math.round(shares.reduce((sum, each) => sum + each, 0) / shares.length - 0.01);
}

/** The value of the world, unless the deployment would not show it. */
function shownValue(
  value: unknown,
  name: string,
  { shape, record, subject }: { shape: Shape; record: Fields; subject: Subject },
): unknown {
  const { values, form } = shape;
  const isWord = typeof value !== 'string' || values === undefined || values.includes(value) || isOfContract.has(name);
  if (value !== null && value !== '' && isWord) return value;
  const startMs = parseTimestampMs(String(record.createdAt ?? record.connectedAt)) ?? 1_767_225_600_000;
  // Written in the form of the field afterwards.
  if (form !== undefined && isPlainTimestampForm(form)) return formatTimestamp(startMs);
  if (shape.type === 'null' || (value === '' && shape.blanks !== undefined)) return value;
  if (name === 'rating') return 1 + Math.floor(hashToUnit(`${subject.name} rating`) * 5);
  return invent(shape, { name: subject.name, startMs, endMs: null }, name);
}

const isOfContract: ReadonlySet<string> = new Set(['status', 'provider']);

/** The forms of a timestamp where it is: an operation, a kind of record and a field can each have others. */
function ownForm({ behaviors: { records }, operation }: Writing, { kind = '', name }: Place): string | undefined {
  return formIn(records, `${operation}.${kind}`, name) ?? formIn(records, kind, name);
}

function formIn(records: Behaviors['records'], kind: string, name: string): string | undefined {
  const form = records?.fields?.[kind]?.fields?.[name]?.form;
  return form !== undefined && isPlainTimestampForm(form) ? form : undefined;
}

/** A field that nothing showed has the form of a similar one. */
function similarForm({ records }: Behaviors, name: string): string | undefined {
  if (name === 'date') return undefined;
  const connectedAt = formIn(records, 'account', 'connectedAt');
  const expiresAt = formIn(records, 'link', 'expiresAt') ?? formIn(records, 'invite', 'expiresAt');
  return name === 'expiresAt' ? (expiresAt ?? connectedAt) : (connectedAt ?? expiresAt);
}
