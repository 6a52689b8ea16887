// The fields of records that the contract lists: formats, and how many of them are null, left out or empty. R7, R13.
import { alternatives, isTimestampForm, timestampForm } from '../../src/contract/forms.ts';
import { fields, nullableFields } from '../../src/contract/generated/record-fields.ts';
import { type PageKind, pageKindOf, pageKinds } from '../../src/contract/review-pages.ts';
import { recordForm, type Shape } from '../../src/contract/shape.ts';
import { grouped } from '../../src/contract/words.ts';
import { dataOf, type Exchange, isObject } from '../exchange/exchange.ts';
import {
  accountOf,
  type Look,
  type Observation,
  queryOf,
  recordsOf,
  responsesTo,
  rowsOf,
  segmentOf,
} from '../exchange/look.ts';
import { learnShape } from './shapes.ts';

type Fields = Record<string, unknown>;

/** One kind of record. `by` is the field of which nulls depend: a draft has no publishedAt. */
interface Kind {
  readonly name: string;
  readonly id?: string;
  readonly by?: string;
  readonly hidden?: readonly string[];
  records(look: Look): readonly Fields[];
  /** Nullable fields that some record lacks. */
  leftOut?(look: Look): readonly string[];
  /** Fields that are described even if all records lack them. */
  always?(look: Look): readonly string[];
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

function ofOperation(kind: string, operations: Parameters<typeof responsesTo>[1], names: readonly string[]): Kind[] {
  return operations.map((each) => ({ name: `${each}.${kind}`, id: 'id', ...withNulls([each], names) }));
}

/** A page of reviews without them. Only the end of the last page is a habit: a cursor is only a link. */
function ofPages(kind: PageKind): Kind {
  return {
    name: kind,
    by: 'provider',
    hidden: ['provider'],
    records: (look) =>
      pagesOf(look, kind).map((exchange) => {
        const { reviews: _, nextCursor, ...rest } = dataOf(exchange);
        const end = nextCursor === null ? { nextCursor } : {};
        return { ...rest, ...end, provider: accountOf(look, exchange)?.provider };
      }),
    always: (look) => {
      const isEnd = kind !== 'reviewPage' && kind !== 'laterPage';
      return ['aggregate', ...(isEnd && !alternates(look) ? ['nextCursor'] : [])];
    },
  };
}

/** A cursor that no page gave out shows the first page, where the service ignores it. */
function kindOf(look: Look, exchange: Exchange): PageKind {
  const cursor = queryOf(exchange).get('cursor');
  const isGiven = () => responsesTo(look, ['listReviews'], 200).some((page) => dataOf(page).nextCursor === cursor);
  const { reviews, nextCursor } = dataOf(exchange);
  const own = recordsOf(reviews);
  return pageKindOf({
    isFirst: cursor === null || !isGiven(),
    isLast: typeof nextCursor !== 'string',
    isEmpty: own.length === 0,
    isRated: own.some(({ rating }) => rating !== null),
  });
}

/**
 * A reply can change the pages of its account: those that end otherwise then have a separate kind. Without a kind, the
 * last pages before a reply.
 */
function pagesOf(look: Look, kind?: PageKind): readonly Exchange[] {
  const replied = new Set<string>();
  const ends = new Map<string, unknown>();
  return responsesTo(look, ['listReviews', 'replyToReview'], 200).filter((exchange) => {
    const account = segmentOf(exchange, 2);
    if (exchange.operation === 'replyToReview') replied.add(account);
    if (exchange.operation !== 'listReviews') return false;
    const { nextCursor } = dataOf(exchange);
    const isLast = typeof nextCursor !== 'string';
    const isOther = isLast && ends.has(exchange.target) && ends.get(exchange.target) !== nextCursor;
    if (replied.has(account)) return kind === 'repliedPage' && isOther;
    ends.set(exchange.target, nextCursor);
    return kind === undefined ? isLast : kindOf(look, exchange) === kind;
  });
}

function alternates(look: Look): boolean {
  const ends = new Map<string, unknown>();
  return pagesOf(look).some((page) => {
    const { nextCursor } = dataOf(page);
    const isOther = ends.has(page.target) && ends.get(page.target) !== nextCursor;
    ends.set(page.target, nextCursor);
    return isOther;
  });
}

const kinds: readonly Kind[] = [
  { name: 'article', id: 'id', by: 'status', ...withNulls(['listArticles', 'getArticle'], fields.Article) },
  ...ofOperation('article', ['listArticles', 'getArticle'], fields.Article),
  { name: 'site', id: 'id', ...withNulls(['listSites', 'getSite'], fields.Site) },
  ...ofOperation('site', ['listSites', 'getSite'], fields.Site),
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
    hidden: ['replied', 'replyText'],
    records: (look) => dataIn(look, 'listReviews').flatMap(({ reviews }) => recordsOf(reviews)),
  },
  ...pageKinds.map(ofPages),
  { name: 'link', records: (look) => dataIn(look, 'createConnectLink') },
  { name: 'reply', records: (look) => dataIn(look, 'replyToReview') },
  {
    name: 'envelope',
    by: 'operation',
    hidden: ['operation'],
    records: (look) =>
      look.exchanges.flatMap(({ status, json, operation }) =>
        status === 200 && isObject(json) && typeof json.summary === 'string'
          ? [{ summary: json.summary, operation }]
          : [],
      ),
  },
  {
    name: 'range',
    records: (look) =>
      dataIn(look, 'getInsights')
        .map(({ range }) => range)
        .filter(isObject),
  },
  {
    name: 'point',
    records: (look) =>
      dataIn(look, 'getInsights').flatMap(({ metrics }) =>
        recordsOf(metrics).flatMap(({ points }) => recordsOf(points)),
      ),
  },
];

export function observeRecords(look: Look): Observation<Shape>[] {
  const found = kinds.flatMap(({ id, records, leftOut, always, ...kind }): [string, Shape, number][] => {
    const all = records(look);
    const own = id === undefined ? all : [...new Map(all.map((record) => [record[id], record])).values()];
    const shape = withFields(shapeOf(own, kind), { optional: leftOut?.(look) ?? [], absent: always?.(look) ?? [] });
    return shape === null ? [] : [[kind.name, withForm(shape, all), own.length]];
  });
  const [first] = look.exchanges;
  if (found.length === 0 || first === undefined) return [];
  const fields = ofOperations(Object.fromEntries(found));
  return [
    { value: { type: 'object', fields }, exchange: first.id, weight: found.reduce((sum, [, , n]) => sum + n, 0) },
  ];
}

/** Timestamps by operation, such as `getArticle.article`: where a single record has a form that no list has. */
function ofOperations(shapes: Readonly<Record<string, Shape>>): Record<string, Shape> {
  const formsOf = (name: string) =>
    Object.entries(shapes[name]?.fields ?? {}).flatMap(([field, { form = '' }]): [string, string][] =>
      isTimestampForm(alternatives(form)[0] ?? '') ? [[field, form]] : [],
    );
  const differs = ({ list, one }: (typeof pairs)[number]) => {
    const listed = new Map(formsOf(list));
    return formsOf(one).some(([field, form]) => {
      const known = alternatives(listed.get(field) ?? form);
      return alternatives(form).some((each) => !known.includes(each));
    });
  };
  const kept = pairs.filter(differs).flatMap(({ list, one }): [string, Shape][] => {
    const [listed, single] = [formsOf(list), formsOf(one)];
    const [form, other] = [...new Set(single.map(([, each]) => each))];
    // A field that few records have is written like the others.
    const names = form !== undefined && other === undefined ? listed.map(([field]) => [field, form] as const) : single;
    return [
      [list, ofForms(listed)],
      [one, ofForms(names)],
    ];
  });
  return {
    ...Object.fromEntries(Object.entries(shapes).filter(([name]) => !name.includes('.'))),
    ...Object.fromEntries(kept),
  };
}

const pairs = [
  { list: 'listArticles.article', one: 'getArticle.article' },
  { list: 'listSites.site', one: 'getSite.site' },
] as const;

function ofForms(forms: readonly (readonly [string, string])[]): Shape {
  return { type: 'object', fields: Object.fromEntries(forms.map(([name, form]) => [name, { type: 'string', form }])) };
}

function withFields(
  shape: Shape | null,
  { optional, absent }: { optional: readonly string[]; absent: readonly string[] },
): Shape | null {
  if (shape === null) return null;
  const { fields = {} } = shape;
  const marked = optional.flatMap((name) => (fields[name] ? [[name, { ...fields[name], optional: true }]] : []));
  const missing = absent.map((name) => [name, { type: 'null', optional: true, absent: 1 }]);
  return { ...shape, fields: { ...Object.fromEntries(missing), ...fields, ...Object.fromEntries(marked) } };
}

/** Marks records whose timestamps all have one form, which other records do not have. */
function withForm(shape: Shape, records: readonly Fields[]): Shape {
  const own = records.map((record) => [
    ...new Set(
      Object.values(record)
        .map(formOf)
        .filter((form) => form !== null),
    ),
  ]);
  const isOneEach = own.every((forms) => forms.length <= 1) && new Set(own.flat()).size > 1;
  return isOneEach ? { ...shape, form: recordForm } : shape;
}

const formOf = (value: unknown): string | null => (typeof value === 'string' ? timestampForm(value) : null);

function shapeOf(records: readonly Fields[], { name, by, hidden = [] }: Pick<Kind, 'name' | 'by' | 'hidden'>) {
  const shown = records.map((each) =>
    Object.fromEntries(Object.entries(each).filter(([key]) => !hidden.includes(key))),
  );
  const shape = learnShape(shown, [name]);
  return shape === null || by === undefined ? shape : splitShares(shape, records, (record) => String(record[by]));
}

const word = /^[a-z_]{1,30}$/i;
const classesMax = 12;

/** Shares by class of record, where a class always or never has what another class has. */
export function splitShares(shape: Shape, records: readonly Fields[], classOf: (record: Fields) => string): Shape {
  const classes = grouped(records, classOf);
  for (const own of [...classes.keys()].filter((each, at) => !word.test(each) || at >= classesMax)) classes.delete(own);
  const split = (field: Shape, path: readonly string[]): Shape => {
    const own = Object.entries(field.fields ?? {}).map(([name, each]) => [name, split(each, [...path, name])]);
    return { ...field, ...sharesBy(field, path, classes), ...(field.fields && { fields: Object.fromEntries(own) }) };
  };
  return split(shape, []);
}

const isShare = {
  nulls: (value: unknown) => value === null,
  absent: (value: unknown) => value === undefined,
  blanks: (value: unknown) => value === '',
};

function sharesBy(field: Shape, path: readonly string[], classes: ReadonlyMap<string, readonly Fields[]>) {
  const found = Object.entries(isShare).flatMap(([name, is]): [string, Record<string, number>][] => {
    if (field[name as keyof typeof isShare] === undefined) return [];
    const all = [...classes].map(([own, records]) => {
      const held = records.map((record) => parentOf(record, path)).filter(isObject);
      const values = held.map((record) => record[path.at(-1) ?? '']);
      return [own, values.filter(is).length / Math.max(1, values.length)] as const;
    });
    const shares = new Set(all.map(([, share]) => share));
    const isSplit = shares.size > 1 && (shares.has(0) || shares.has(1));
    return isSplit ? [[name, Object.fromEntries(all.map(([own, share]) => [own, Math.round(share * 100) / 100]))]] : [];
  });
  return Object.fromEntries(found);
}

function parentOf(record: Fields, path: readonly string[]): unknown {
  return path.slice(0, -1).reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record);
}
