// The fields of records that the contract lists: formats, and how many of them are null, left out or empty. R7, R13.
import { fields, nullableFields } from '../../src/contract/generated/record-fields.ts';
import type { Shape } from '../../src/contract/shape.ts';
import { dataOf, type Exchange, isObject } from '../exchange/exchange.ts';
import { accountOf, type Look, type Observation, queryOf, recordsOf, responsesTo, rowsOf } from './look.ts';
import { learnShape } from './shapes.ts';

type Fields = Record<string, unknown>;

/** One kind of record. `by` is the field of which nulls depend: a draft has no publishedAt. */
interface Kind {
  readonly name: string;
  readonly id?: string;
  readonly by?: string;
  readonly without?: readonly string[];
  records(look: Look): readonly Fields[];
  /** Nullable fields that some record lacks. */
  leftOut?(look: Look): readonly string[];
}

const dataIn = (look: Look, operation: Parameters<typeof responsesTo>[1][number]) =>
  responsesTo(look, [operation], 200).map(dataOf);

/** A nullable field that is absent warns (R13), so it is learnt as null, and marked as optional. */
function withNulls(operations: Parameters<typeof responsesTo>[1], names: readonly string[]) {
  const nullable = names.filter((name) => nullableFields.includes(name));
  const nulls = Object.fromEntries(nullable.map((name) => [name, null]));
  const rows = (look: Look) => responsesTo(look, operations, 200).flatMap(rowsOf);
  return {
    records: (look: Look) => rows(look).map((row) => ({ ...nulls, ...row })),
    leftOut: (look: Look) => nullable.filter((name) => rows(look).some((row) => !(name in row))),
  };
}

function ofPages(is: (exchange: Exchange) => boolean) {
  return {
    by: 'provider',
    without: ['reviews', 'nextCursor'],
    records: (look: Look) =>
      responsesTo(look, ['listReviews'], 200)
        .filter(is)
        .map((exchange) => ({ ...dataOf(exchange), provider: accountOf(look, exchange)?.provider })),
  };
}

/** The only page of an account without ratings. */
function isUnrated(exchange: Exchange): boolean {
  const { reviews, nextCursor } = dataOf(exchange);
  const isWhole = typeof nextCursor !== 'string' && !queryOf(exchange).has('cursor');
  return isWhole && recordsOf(reviews).every(({ rating }) => rating === null);
}

const kinds: readonly Kind[] = [
  { name: 'article', id: 'id', by: 'status', ...withNulls(['listArticles', 'getArticle'], fields.Article) },
  { name: 'site', id: 'id', ...withNulls(['listSites', 'getSite'], fields.Site) },
  { name: 'keyword', id: 'id', ...withNulls(['listKeywords'], fields.Keyword) },
  {
    name: 'account',
    id: 'accountId',
    by: 'status',
    records: (look) => dataIn(look, 'listAccounts').flatMap(({ accounts }) => recordsOf(accounts)),
  },
  {
    name: 'invite',
    id: 'id',
    records: (look) => dataIn(look, 'listAccounts').flatMap(({ pendingInvites }) => recordsOf(pendingInvites)),
  },
  // `reviewReplied` describes the replies.
  {
    name: 'review',
    id: 'reviewId',
    without: ['replied', 'replyText'],
    records: (look) => dataIn(look, 'listReviews').flatMap(({ reviews }) => recordsOf(reviews)),
  },
  { name: 'reviewPage', ...ofPages((exchange) => recordsOf(dataOf(exchange).reviews).length > 0) },
  { name: 'unratedPage', ...ofPages(isUnrated) },
  { name: 'link', records: (look) => dataIn(look, 'createConnectLink') },
  { name: 'reply', records: (look) => dataIn(look, 'replyToReview') },
  {
    name: 'envelope',
    records: (look) =>
      look.exchanges.flatMap(({ status, json }) =>
        status === 200 && isObject(json) && typeof json.summary === 'string' ? [{ summary: json.summary }] : [],
      ),
  },
];

/** One observation of all kinds: a kind without records is left out. */
export function observeRecords(look: Look): Observation<Shape>[] {
  const found = kinds.flatMap(({ records, leftOut = () => [], ...kind }): [string, Shape, number][] => {
    const all = distinct(records(look), kind.id);
    const shape = markOptional(shapeOf(all, kind), leftOut(look));
    return shape === null ? [] : [[kind.name, shape, all.length]];
  });
  const [first] = look.exchanges;
  if (found.length === 0 || first === undefined) return [];
  const fields = Object.fromEntries(found.map(([name, shape]) => [name, shape]));
  return [
    { value: { type: 'object', fields }, exchange: first.id, weight: found.reduce((sum, [, , n]) => sum + n, 0) },
  ];
}

function markOptional(shape: Shape | null, names: readonly string[]): Shape | null {
  const marked = names.flatMap((name) =>
    shape?.fields?.[name] ? [[name, { ...shape.fields[name], optional: true }]] : [],
  );
  return shape === null || marked.length === 0
    ? shape
    : { ...shape, fields: { ...shape.fields, ...Object.fromEntries(marked) } };
}

/** A record that is read twice counts once. */
function distinct(records: readonly Fields[], id: string | undefined): readonly Fields[] {
  return id === undefined ? records : [...new Map(records.map((record) => [record[id], record])).values()];
}

function shapeOf(
  records: readonly Fields[],
  { name, by, without = [] }: Omit<Kind, 'records' | 'leftOut'>,
): Shape | null {
  const hidden = new Set([...without, ...(by === 'provider' ? [by] : [])]);
  const shown = records.map((each) => Object.fromEntries(Object.entries(each).filter(([key]) => !hidden.has(key))));
  const shape = learnShape(shown, [name]);
  if (shape?.fields === undefined || by === undefined) return shape;
  const classes = new Map<string, Fields[]>();
  for (const record of records) {
    const own = String(record[by]);
    if (word.test(own) && classes.size < classesMax) classes.set(own, [...(classes.get(own) ?? []), record]);
  }
  const split = Object.entries(shape.fields).map(([key, field]) => [
    key,
    { ...field, ...sharesBy(key, field, classes) },
  ]);
  return { ...shape, fields: Object.fromEntries(split) };
}

const word = /^[a-z_]{1,30}$/;
const classesMax = 12;

/** For each class of records; nothing where all classes are alike. */
function sharesBy(key: string, { nulls, absent }: Shape, classes: ReadonlyMap<string, readonly Fields[]>) {
  const shares = (is: (record: Fields) => boolean) => {
    const all = [...classes].map(([own, records]) => [own, records.filter(is).length / records.length] as const);
    const isSplit = all.some(([, share]) => share === 0) && all.some(([, share]) => share === 1);
    return isSplit ? Object.fromEntries(all.map(([own, share]) => [own, Math.round(share * 100) / 100])) : null;
  };
  const nullsBy = nulls === undefined ? null : shares((record) => record[key] === null);
  const absentBy = absent === undefined ? null : shares((record) => record[key] === undefined);
  return { ...(nullsBy && { nulls: nullsBy }), ...(absentBy && { absent: absentBy }) };
}
