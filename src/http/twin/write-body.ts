// A success as a deployment writes it: operation by operation, the freedom that the contract leaves.
import { alternatives, instantStepNs, isInstantForm, writeInstant, writePlainInstant } from '../../contract/forms.ts';
import type { Readings } from '../../contract/generated/readings.ts';
import type {
  CreatePostResponse,
  ListAccountsResponse,
  ListCallsResponse,
  ListReviewsResponse,
  ReplyToReviewResponse,
} from '../../contract/generated/types.ts';
import { parseInstant, parseInstantMs } from '../../contract/instants.ts';
import type { CallRecord } from '../../domain/call.ts';
import { idInForm } from '../../domain/style-world.ts';
import type { AnyOperation } from '../route.ts';
import { invent, oneOf } from './invent.ts';

/** What a body is written with. */
export interface Writing {
  readonly readings: Readings;
  readonly operation: AnyOperation['id'] | null;
  /** Counts what differs from answer to answer, so that both sides of a mixture come in turn. */
  readonly turn: () => number;
}

type Members = Record<string, unknown>;
type Record_ = 'article' | 'site' | 'keyword' | 'envelope' | 'error' | 'simpleError' | 'errorEnvelope';

/** Records first, whose instants are the mock's own; then the spelling of every value. */
export function writeSuccess(body: unknown, writing: Writing): unknown {
  const { operation, readings } = writing;
  const write = operation === null ? undefined : writers[operation];
  const shaped = write ? write(body, writing) : body;
  const spelt = spell(shaped, writing, '') as Members;
  return { ...spelt, ...extrasOf(readings, 'envelope', operation ?? '') };
}

/** Members beyond the listed ones, as learnt for one kind of record; the same for a record whenever it is shown. */
export function extrasOf({ extraMembers }: Readings, kind: Record_, name: string): Members {
  const shape = extraMembers?.members?.[kind];
  return shape === undefined ? {} : (invent(shape, { name, startMs: 1_767_225_600_000, endMs: null }) as Members);
}

const writers: { readonly [operation: string]: (body: unknown, writing: Writing) => unknown } = {
  listArticles: (body, { readings }) => withExtras(body, readings, 'article'),
  getArticle: (body, { readings }) => withExtras(body, readings, 'article'),
  listSites: (body, { readings }) => withExtras(body, readings, 'site'),
  getSite: (body, { readings }) => withExtras(body, readings, 'site'),
  listKeywords: (body, { readings }) => withExtras(body, readings, 'keyword'),
  listAccounts: (body, { readings: { inviteIdForm } }) => {
    const { data, ...rest } = body as ListAccountsResponse;
    if (inviteIdForm === 'uuid') return body;
    const invites = data.pendingInvites.map((invite) => ({ ...invite, id: inviteId(invite.id, inviteIdForm) }));
    return { ...rest, data: { ...data, pendingInvites: invites } };
  },
  listReviews: (body, writing) => writeReviews(body as ListReviewsResponse, writing),
  listCalls: (body, writing) => writeCalls(body as ListCallsResponse, writing),
  createPost: (body, { readings }) => {
    const { data, ...rest } = body as CreatePostResponse;
    return { ...rest, data: readings.permalink === 'null' ? { ...data, permalink: null } : data };
  },
  replyToReview: (body, { readings }) => {
    const { data, ...rest } = body as ReplyToReviewResponse;
    return { ...rest, data: readings.repliedAt === 'null' ? { ...data, repliedAt: null } : data };
  },
};

/** An opaque one is no UUID. */
function inviteId(id: string, form: string): string {
  return form === 'opaque' ? `inv-${id}` : idInForm(id, form);
}

/** On a list and on a single record alike. */
function withExtras(body: unknown, readings: Readings, kind: Record_): unknown {
  if (readings.extraMembers?.members?.[kind] === undefined) return body;
  const { data, ...rest } = body as { data: Members | Members[] };
  const add = (record: Members) => ({ ...record, ...extrasOf(readings, kind, String(record.id)) });
  return { data: Array.isArray(data) ? data.map(add) : add(data), ...rest };
}

function writeReviews({ data, ...rest }: ListReviewsResponse, { readings, turn }: Writing): unknown {
  const { reviews, nextCursor, ...others } = data;
  const { reviewReplied, reviewEnd } = readings;
  const isAbsent = reviewEnd === 'absent' || (reviewEnd === 'either' && turn() % 2 === 0);
  const isLeftOut = nextCursor === undefined || (nextCursor === null && isAbsent);
  const shown = reviews.map(({ replied, replyText, ...review }) => {
    const text = replyText === undefined || reviewReplied === 'none' ? {} : { replyText };
    const isTold = reviewReplied === 'always' || (reviewReplied === 'when-replied' && replied === true);
    return { ...review, ...(isTold ? { replied: replied ?? false } : {}), ...text };
  });
  return { ...rest, data: { reviews: shown, ...(isLeftOut ? {} : { nextCursor }), ...others } };
}

/** Cites 2.call-record: what a record holds is not shown. */
function writeCalls({ data, summary, ...rest }: ListCallsResponse, { readings }: Writing): unknown {
  const { callRecord, callCursor, callSummary } = readings;
  const calls = (data.calls as unknown as CallRecord[]).map((call) => {
    if (callRecord === null) return call;
    const endMs = call.endedAt === null ? null : parseInstantMs(call.endedAt);
    return invent(callRecord, { name: call.id, startMs: parseInstantMs(call.startedAt) ?? 0, endMs, own: call });
  });
  const { nextCursor } = data;
  const cursor = nextCursor === null ? null : writeCursor(nextCursor, callCursor);
  const told = summary === undefined || callSummary === 'absent' ? {} : { summary };
  return { ...rest, data: { calls, nextCursor: cursor }, ...told };
}

/** A cursor keeps every digit that tells calls apart. */
function writeCursor(cursor: string, form: string): string {
  const instant = parseInstant(cursor);
  if (instant === null || !isInstantForm(alternatives(form)[0] ?? '')) return cursor;
  const digits = instant % 1_000_000n === 0n ? 0 : 9;
  return writeInstant(instant, oneOf(form, cursor), digits);
}

const instants: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'publishedAt']);
const plainInstants: ReadonlySet<string> = new Set(['connectedAt', 'expiresAt', 'repliedAt', 'receivedAt']);
const ownIds: ReadonlySet<string> = new Set(['id', 'accountId']);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Instants, days and ids in the handwriting of the deployment. A cursor is written as the instant that it is. */
function spell(value: unknown, writing: Writing, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => spell(item, writing, name));
  if (typeof value === 'string') return spellText(value, writing, name);
  if (value === null || typeof value !== 'object') return value;
  // Records of calls are invented as a whole.
  if (name === 'calls') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, spell(member, writing, key)]));
}

function spellText(text: string, { readings, operation }: Writing, name: string): string {
  const { instantForm, plainInstantForm, insightDateForm, idCase } = readings;
  if (instants.has(name) || (operation === 'listArticles' && name === 'cursor')) return restyle(text, instantForm);
  if (plainInstants.has(name) || (operation === 'listReviews' && name === 'date'))
    return restylePlain(text, plainInstantForm);
  if (operation === 'getInsights' && (name === 'startDate' || name === 'endDate' || name === 'date'))
    return restylePlain(`${text}T00:00:00Z`, insightDateForm);
  if (idCase === 'lower' || !uuid.test(text) || !(ownIds.has(name) || name === 'siteId')) return text;
  return idCase === 'upper' || ownIds.has(name) ? text.toUpperCase() : text;
}

function restyle(text: string, form: string): string {
  const instant = parseInstant(text);
  if (instant === null) return text;
  const own = oneOf(form, text);
  return writeInstant(instant, own, instantStepNs(own) <= 1_000_000n ? digitsOf(instant) : 0);
}

/** A world may hold instants with more digits than milliseconds have; a cursor without them would lose articles. */
function digitsOf(instant: bigint): number {
  return instant % 1_000_000n === 0n ? 0 : instant % 1_000n === 0n ? 6 : 9;
}

function restylePlain(text: string, form: string): string {
  const ms = parseInstantMs(text);
  return ms === null ? text : writePlainInstant(ms, oneOf(form, text));
}

// JSON in the spelling of a deployment: its blanks, its escapes, its order of members.

/** Equal as a value. */
export function printAs(value: unknown, { jsonLayout, jsonEscapes, memberOrder, envelopeOrder }: Readings): string {
  const inner = memberOrder === 'listed' ? value : orderMembers(value, memberOrder);
  const ordered = placeData(inner, envelopeOrder);
  const text =
    jsonLayout === 'spaced'
      ? spaced(ordered)
      : JSON.stringify(ordered, null, jsonLayout === 'indented' ? 2 : undefined);
  return jsonEscapes === 'escaped' ? escapeCharacters(text) : text;
}

function orderMembers(value: unknown, order: 'reversed' | 'sorted'): unknown {
  if (Array.isArray(value)) return value.map((item) => orderMembers(item, order));
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([name, member]) => [name, orderMembers(member, order)] as const);
  const turned = order === 'reversed' ? members.reverse() : members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(turned);
}

/** Only a success has data. */
function placeData(value: unknown, order: Readings['envelopeOrder']): unknown {
  if (value === null || typeof value !== 'object' || !('data' in value)) return value;
  const { data, ...rest } = value;
  return order === 'data-first' ? { data, ...rest } : { ...rest, data };
}

/** `{"a": 1, "b": [2, 3]}`, as Python and others write it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`).join(', ')}}`;
}

function escapeCharacters(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
