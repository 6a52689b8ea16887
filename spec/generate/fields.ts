// The fields of the records of section 2, one row each, from spec/tables.json: the source of field mutants.

import { readFileSync } from 'node:fs';
import { kebab } from '../../src/contract/words.ts';

/** A field of a schema in tables.json. */
interface Field {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: string;
  readonly schema?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Schema {
  readonly required?: 'implied' | readonly string[];
  readonly fields?: Readonly<Record<string, Field>>;
}

interface Tables {
  readonly schemas: Readonly<Record<string, Schema & Field & { readonly fields: { readonly range?: Schema } }>>;
}

/** The clauses of a record begin so. */
const records = {
  Article: '2.article',
  Site: '2.site',
  Keyword: '2.keyword',
  ConnectAccountInput: '2.connect-account-input',
  ConnectAccountOutput: '2.connect-account-output',
  ConnectedAccount: '2.list-accounts-output.accounts',
  PendingInvite: '2.list-accounts-output.pending-invites',
  Billing: '2.list-accounts-output.billing',
  CreatePostInput: '2.create-post-input',
  CreatePostOutput: '2.create-post-output',
  ReviewItem: '2.review-item',
  ReviewsAggregate: '2.list-reviews-output.aggregate',
  ReplyReviewInput: '2.reply-review-input',
  ReplyReviewOutput: '2.reply-review-output',
  InsightRange: '2.get-insights-output.range',
  InsightMetric: '2.get-insights-output.metrics',
  InsightPoint: '2.get-insights-output.metrics.points',
} as const;

/** One row for each typed field, in the order of section 2. */
export function emitFields(folder: URL): string {
  const { schemas } = JSON.parse(readFileSync(new URL('tables.json', folder), 'utf8')) as Tables;
  const all: Readonly<Record<string, Schema | undefined>> = {
    ...schemas,
    InsightRange: schemas.GetInsightsOutput?.fields.range,
  };
  const rows = Object.entries(records).flatMap(([record, clause]) =>
    Object.entries(all[record]?.fields ?? {}).flatMap(([name, field]) => {
      const { type, enum: list, ...rest } = { ...field, ...schemas[field.schema ?? ''] };
      if (type === undefined) return [];
      const { required = 'implied' } = all[record] ?? {};
      const isRequired = required === 'implied' || required.includes(name);
      const row = { record, name, clause: `${clause}.${kebab(name)}`, type, isRequired, isEnum: list !== undefined };
      return [`  ${JSON.stringify({ ...row, ...boundsOf(rest) })},`];
    }),
  );
  return `import type { ClauseId } from './clauses.ts';

/** A field of a record of section 2. */
export interface FieldRow {
  readonly record: ${Object.keys(records)
    .map((name) => `'${name}'`)
    .join(' | ')};
  readonly name: string;
  readonly clause: ClauseId;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly isRequired: boolean;
  readonly isEnum: boolean;
  readonly nullable?: boolean;
  readonly format?: 'uuid' | 'date-time' | 'uri';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export const fieldRows: readonly FieldRow[] = [
${rows.join('\n')}
];
`;
}

function boundsOf({ nullable, format, minimum, maximum, minLength, maxLength }: Field): Partial<Field> {
  return JSON.parse(JSON.stringify({ nullable, format, minimum, maximum, minLength, maxLength }));
}
