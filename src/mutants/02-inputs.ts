// Inputs of writes accepted or rejected wrongly, made from the table of fields: types, and one more or less than each
// bound, at both endpoints. Cites 2.connect-account-input.*, 8.label, 8.max-accounts, 8.post-text, 8.reply-text.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { type FieldRow, fieldRows } from '../contract/generated/fields.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { ToolName } from '../contract/generated/tools.ts';
import { fussy, onInput, thankful } from './hooks/mcp-endpoint.ts';
import type { Mutant } from './hooks/mutant.ts';
import { onBody } from './hooks/recipes.ts';
import { bytesOf, type Json, type JsonObject, lengthOf } from './hooks/rewrite.ts';

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
