// Invalid fields in the records of section 2, made from the table of fields: each field with another type, and
// alternately missing or null; then invalid formats. Cites 2.article.*, 2.site.*, 2.keyword.*.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { type FieldRow, fieldRows } from '../contract/generated/fields.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { ToolName } from '../contract/generated/tools.ts';
import { fussy, onInput, thankful } from './hooks/mcp-endpoint.ts';
import type { Mutant, Wrap } from './hooks/mutant.ts';
import { onArticle, onBody, onKeyword, onSite, onSuccess, type Which } from './hooks/recipes.ts';
import { bytesOf, change, drop, type Edit, isObject, type Json, type JsonObject, lengthOf } from './hooks/rewrite.ts';

/** How mutants of a record are called, what a client sees of it, and which of the records is wrong. */
interface MutatedRecord {
  readonly called: string;
  readonly subject: string;
  readonly wrap: (edit: Edit) => Wrap;
  readonly needs?: 'writes';
  /** Where another clause than that of the field says that it is there. */
  readonly missing?: ClauseId;
}

const at = (which: Which, path: string) => (edit: Edit) => onSuccess(which, change(path, edit));

// Of long lists a late record only, as real data has it.
const places: Partial<Record<FieldRow['record'], MutatedRecord>> = {
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

// Inputs of writes accepted or rejected wrongly, made from the table of fields: types, and one more or less than each
// bound, at both endpoints. Cites 2.connect-account-input.*, 8.label, 8.max-accounts, 8.post-text, 8.reply-text.

interface Input {
  readonly operation: OperationId;
  readonly called: string;
  readonly bounds: ClauseId;
  readonly tool: ToolName;
  /** The `data` of a success, where a tool can pretend one; else it takes the nearest value that is allowed. */
  readonly success?: JsonObject;
}

const link = { operation: 'createConnectLink', tool: 'connect_account' } as const;
const inputs: Readonly<Record<string, Input>> = {
  'ConnectAccountInput.label': { ...link, called: 'link-label', bounds: '8.label' },
  'ConnectAccountInput.maxAccounts': { ...link, called: 'link-max-accounts', bounds: '8.max-accounts' },
  'CreatePostInput.text': {
    ...{ operation: 'createPost', called: 'post-text', bounds: '8.post-text', tool: 'create_post' },
    success: { postId: 'post_1', permalink: null },
  },
  'ReplyReviewInput.text': {
    ...{ operation: 'replyToReview', called: 'reply-text', bounds: '8.reply-text', tool: 'reply_review' },
    success: { repliedAt: '2026-03-02T10:00:00.000Z' },
  },
};

/** Its description for a client, its condition, and the value that the server gets instead. */
type Case = readonly [sees: string, when: (value: Json | undefined) => boolean, instead: (value: Json) => Json];
type Cases = Readonly<Record<string, Case>>;

/** Of a text with at most `max` characters; accepted as another text, or rejected for another one. */
function textCases(name: string, max: number): { readonly types: Cases; readonly bounds: Cases } {
  const tooLong = () => 'x'.repeat(max + 1);
  const cut = (value: Json) => [...String(value)].slice(0, max).join('');
  const usual = () => 'Untitled';
  return {
    types: {
      optional: [`A request without \`${name}\` is accepted.`, (value) => value === undefined, usual],
      'number-accepted': [`A number as \`${name}\` is accepted.`, (value) => typeof value === 'number', String],
      'null-accepted': [`\`${name}\` null is accepted.`, (value) => value === null, usual],
    },
    bounds: {
      'empty-accepted': [`An empty \`${name}\` is accepted.`, (value) => value === '', usual],
      [`${max + 1}-accepted`]: [
        `A \`${name}\` of ${max + 1} characters is accepted.`,
        (value) => lengthOf(value) === max + 1,
        cut,
      ],
      unlimited: [`A \`${name}\` of any length is accepted.`, (value) => lengthOf(value) > max, cut],
      [`${max}-refused`]: [
        `A \`${name}\` of ${max} characters is rejected.`,
        (value) => lengthOf(value) === max,
        tooLong,
      ],
      'counted-in-bytes': [
        `A \`${name}\` of ${max} characters of two bytes each is rejected as too long.`,
        (value) => bytesOf(value) > max,
        tooLong,
      ],
    },
  };
}

function integerCases(name: string, { minimum = 1, maximum = 1 }: FieldRow): ReturnType<typeof textCases> {
  return {
    types: {
      'text-accepted': [`A string as \`${name}\` is accepted.`, (value) => typeof value === 'string', () => minimum],
      'fraction-accepted': [
        `A \`${name}\` with a fraction is accepted.`,
        (value) => typeof value === 'number' && value > minimum,
        (value) => Math.floor(Number(value)),
      ],
      required: [`A request without \`${name}\` is rejected.`, (value) => value === undefined, () => 'none'],
    },
    bounds: {
      [`${minimum - 1}-accepted`]: [
        `\`${name}\` ${minimum - 1} is accepted.`,
        (value) => value === minimum - 1,
        () => minimum,
      ],
      [`${maximum + 1}-accepted`]: [
        `\`${name}\` ${maximum + 1} is accepted.`,
        (value) => value === maximum + 1,
        () => maximum,
      ],
      [`${maximum}-refused`]: [`\`${name}\` ${maximum} is rejected.`, (value) => value === maximum, () => maximum + 1],
    },
  };
}

/** The same bound at the MCP endpoint: one more is taken, or the bound itself is rejected. */
function mcpBounds({ name, maximum, maxLength = 0 }: FieldRow, { called, bounds, tool, success }: Input): Mutant[] {
  const max = maximum ?? maxLength;
  const sizeOf = (input: JsonObject) => (maximum === undefined ? lengthOf(input[name]) : Number(input[name]));
  const nearest = (value: Json | undefined) => (maximum === undefined ? String(value).slice(0, max) : max);
  const taken = success
    ? thankful(tool, (input) => sizeOf(input) > max, success)
    : onInput(tool, (input) => (sizeOf(input) === max + 1 ? { ...input, [name]: nearest(input[name]) } : input));
  const value = maximum === undefined ? `a ${name} of` : `\`${name}\``;
  const size = (of: number) => (maximum === undefined ? `${of} characters` : String(of));
  const own = { breaks: bounds, ...(success ? {} : { needs: 'writes' as const }) };
  const prefix = `mcp-${called.replace(/^link-|-text$/g, '')}`;
  return [
    {
      ...own,
      name: `${prefix}-${max + 1}-taken`,
      shows: `\`${tool}\` takes ${value} ${size(max + 1)}.`,
      wrapMcp: taken,
    },
    {
      ...{ ...own, name: `${prefix}-${max}-refused`, shows: `\`${tool}\` rejects ${value} ${size(max)}.` },
      wrapMcp: fussy(tool, name, (input) => sizeOf(input) >= max),
    },
  ];
}

export const inputMutants: readonly Mutant[] = fieldRows.flatMap((row) => {
  const input = inputs[`${row.record}.${row.name}`];
  if (!input) return [];
  const { operation, called, bounds } = input;
  const cases = row.type === 'integer' ? integerCases(row.name, row) : textCases(row.name, row.maxLength ?? 0);
  const make =
    (breaks: ClauseId) =>
    ([suffix, [sees, when, instead]]: [string, Case]): Mutant => ({
      ...{ name: `${called}-${suffix}`, breaks, needs: 'writes' },
      shows: `${operation}: ${sees}`,
      wrap: onBody(operation, (body) =>
        when(body[row.name]) ? { ...body, [row.name]: instead(body[row.name] ?? null) } : body,
      ),
    });
  return [
    ...Object.entries(cases.types).map(make(row.clause)),
    ...Object.entries(cases.bounds).map(make(bounds)),
    ...mcpBounds(row, input),
  ];
});
