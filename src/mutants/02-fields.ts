// Invalid fields in the records of section 2, made from the table of fields: each field with another type, and
// alternately missing or null; then invalid formats. Cites 2.article.*, 2.site.*, 2.keyword.*.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { type FieldRow, fieldRows } from '../contract/generated/fields.ts';
import type { Mutant, Wrap } from './hooks/mutant.ts';
import { onArticle, onKeyword, onSite, onSuccess, type Which } from './hooks/recipes.ts';
import { change, drop, type Edit, isObject, type Json, type JsonObject } from './hooks/rewrite.ts';

/** How mutants of a record are called, what a client sees of it, and which of the records is wrong. */
interface Place {
  readonly called: string;
  readonly subject: string;
  readonly wrap: (edit: Edit) => Wrap;
  readonly needs?: 'writes';
  /** Where another clause than that of the field says that it is there. */
  readonly missing?: ClauseId;
}

const at = (which: Which, path: string) => (edit: Edit) => onSuccess(which, change(path, edit));

// Of long lists a late record only, as real data has it.
const places: Partial<Record<FieldRow['record'], Place>> = {
  Article: {
    ...{ called: 'article', subject: 'the 45th article', missing: '2.fields-present' },
    wrap: (edit) => onArticle(44, edit),
  },
  Site: {
    ...{ called: 'site', subject: 'the last site', missing: '2.fields-present' },
    wrap: (edit) => onSite(-1, edit),
  },
  Keyword: {
    ...{ called: 'keyword', subject: 'the last keyword', missing: '2.fields-present' },
    wrap: (edit) => onKeyword(-1, edit),
  },
  ConnectedAccount: {
    ...{ called: 'accounts', subject: 'the last account' },
    wrap: at('listAccounts', 'data.accounts.-1'),
  },
  PendingInvite: {
    ...{ called: 'accounts-invite', subject: 'the last pending invite' },
    wrap: at('listAccounts', 'data.pendingInvites.-1'),
  },
  Billing: { called: 'accounts-billing', subject: '`billing`', wrap: at('listAccounts', 'data.billing') },
  ConnectAccountOutput: {
    ...{ called: 'link-output', subject: 'a new link' },
    ...{ wrap: at('createConnectLink', 'data'), needs: 'writes' },
  },
  CreatePostOutput: {
    ...{ called: 'post-output', subject: 'a new post' },
    ...{ wrap: at('createPost', 'data'), needs: 'writes' },
  },
  ReplyReviewOutput: {
    ...{ called: 'reply-output', subject: 'a new reply' },
    ...{ wrap: at('replyToReview', 'data'), needs: 'writes' },
  },
  ReviewItem: {
    ...{ called: 'review', subject: 'the last review of each page' },
    wrap: at('listReviews', 'data.reviews.-1'),
  },
  ReviewsAggregate: {
    ...{ called: 'reviews-aggregate', subject: '`aggregate` of reviews' },
    wrap: at('listReviews', 'data.aggregate'),
  },
  InsightRange: {
    ...{ called: 'insights', subject: '`range` of insights', missing: '2.get-insights-output.inner-required' },
    wrap: at('getInsights', 'data.range'),
  },
  InsightMetric: {
    ...{ called: 'insights-metric', subject: 'the last metric', missing: '2.get-insights-output.inner-required' },
    wrap: at('getInsights', 'data.metrics.-1'),
  },
  InsightPoint: {
    ...{ called: 'insights-point', subject: 'the last point of the last metric' },
    missing: '2.get-insights-output.inner-required',
    wrap: at('getInsights', 'data.metrics.-1.points.-1'),
  },
};

/** A kind of mistake: its description for a client, and the change of the value. */
type Kind = readonly [suffix: string, sees: string, edit: (value: Json) => Json, general?: ClauseId];

const fraction: Kind = ['fraction', 'with a fraction', () => 12.5];
const kinds = {
  string: ['number', 'as a number', () => 1984],
  integer: ['text', 'as a string', String],
  number: ['text', 'as a string', String],
  boolean: ['text', 'as a string', String],
} as const satisfies Record<FieldRow['type'], Kind>;
const formats: Partial<Record<NonNullable<FieldRow['format']>, Kind>> = {
  uuid: ['prefixed', 'in a form that is not a UUID', (id) => `id-${String(id)}`, '2.ids-uuid'],
  'date-time': ['date-only', 'without a time', (date) => String(date ?? '2026-03-10').slice(0, 10), '2.at-iso'],
};
const asNull: Kind = ['null', 'as null, although it is not nullable', () => null];
const capitals: Kind = ['upper-case', 'in capitals', (value) => String(value).toUpperCase()];

/** The cases of one field; `isOdd` spreads missing and null over the fields. */
function casesOf(
  { name, type, format, isEnum, isRequired, nullable = false }: FieldRow,
  isOdd: boolean,
): readonly Kind[] {
  const form = format && /^(id|createdAt)$/.test(name) && formats[format];
  return [
    kinds[type],
    ...(!nullable && (isOdd || !isRequired) ? [asNull] : []),
    ...(type === 'integer' ? [fraction] : []),
    ...(form ? [form] : []),
    ...(isEnum ? [capitals] : []),
  ];
}

export const fieldMutants: readonly Mutant[] = fieldRows.flatMap((row, index) => {
  const place = places[row.record];
  if (!place) return [];
  const { called, subject, wrap, needs, missing = row.clause } = place;
  const { name, clause, isRequired } = row;
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const [kind = ''] = called.split(/s?-|s$/);
  const field = kebab.startsWith(`${kind}-`) ? kebab.slice(kind.length + 1) : kebab;
  const make = (suffix: string, sees: string, edit: (record: JsonObject) => Json) => ({
    name: `${called}-${field}-${suffix}`,
    shows: `${subject[0]?.toUpperCase()}${subject.slice(1)} has ${sees}.`,
    ...(needs ? { needs } : {}),
    wrap: wrap((record) => (isObject(record) ? edit(record) : record)),
  });
  const isOdd = index % 2 === 1;
  // The tables of section 2 let a nullable field be left out (R13).
  const isDropped = isRequired && (row.nullable ? missing !== '2.fields-present' : !isOdd);
  return [
    ...casesOf(row, isOdd).map(([suffix, sees, edit, general]) => {
      const change = (record: JsonObject) => ({ ...record, [name]: edit(record[name] ?? null) });
      const isGeneral = suffix === 'null' && missing === '2.fields-present';
      const breaks = isGeneral ? '2.nullable-unmarked' : (general ?? clause);
      return { ...make(suffix, `\`${name}\` ${sees}`, change), breaks };
    }),
    ...(isDropped ? [{ ...make('missing', `no \`${name}\``, drop(name)), breaks: missing }] : []),
  ];
});
