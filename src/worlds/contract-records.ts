// Validates the records of a world that the mock sends unchanged with the contract's own schemas, so a world cannot
// make the mock violate it. Cites 2.ids-uuid, 2.at-iso, 2.article.status, 2.review-item.closed.

import { fields } from '../contract/generated/record-fields.ts';
import type { ConnectedAccount } from '../contract/generated/types.ts';
import type { SchemaError, Validator } from '../contract/generated/validators.js';
import * as validators from '../contract/generated/validators.js';
import { isDateTime } from '../contract/timestamps.ts';
import type { AccountData } from '../domain/world-data.ts';
import { type ProblemList, unknownField } from './cross-checks.ts';

type RecordKind = 'site' | 'article' | 'keyword' | 'account' | 'review';

/** How one kind of record is checked. */
interface RecordRule {
  readonly validator: Validator;
  /** The schemas are open where the contract is; a world file is not, because an unknown field is a typing error. */
  readonly fields: ReadonlySet<string>;
}

/** Fields of an account in a world beyond the contract; the compiler checks that the list is complete. */
const ofWorlds: Record<Exclude<keyof AccountData, keyof ConnectedAccount>, true> = {
  posts: true,
  reviews: true,
  metrics: true,
  trouble: true,
};

const rules: Readonly<Record<RecordKind, RecordRule>> = {
  site: { validator: validators.Site, fields: new Set(fields.Site) },
  article: { validator: validators.Article, fields: new Set(fields.Article) },
  keyword: { validator: validators.Keyword, fields: new Set(fields.Keyword) },
  account: {
    validator: validators.ConnectedAccount,
    fields: new Set([...fields.ConnectedAccount, ...Object.keys(ofWorlds)]),
  },
  review: { validator: validators.ReviewItem, fields: new Set(fields.ReviewItem) },
};

/** The fields of a record in a world. */
export function fieldsOf(kind: RecordKind): ReadonlySet<string> {
  return rules[kind].fields;
}

/**
 * Adds what the contract's schema and the rules of a world find wrong; `at.path` names the list, such as
 * `organizations[0].sites`.
 */
export function checkRecords(
  kind: RecordKind,
  records: readonly unknown[],
  at: { path: string; problems: ProblemList },
): void {
  const { validator, fields: recordFields } = rules[kind];
  records.forEach((record, i) => {
    const path = `${at.path}[${i}]`;
    if (!validator(record)) {
      for (const error of validator.errors ?? []) {
        // Closed schemas report unknown fields too; the loop below does so for all.
        if (error.keyword !== 'additionalProperties') at.problems.add(...describeSchemaError(path, error));
      }
    }
    if (typeof record !== 'object' || record === null) return;
    for (const name of Object.keys(record)) {
      if (!recordFields.has(name)) at.problems.add(`${path}.${name}`, unknownField(name, recordFields));
    }
    checkWorldRules(kind, record, { path, problems: at.problems });
  });
}

// Conditions of a world beyond the contract: timestamps that can be moved, ids that a path can name.
function checkWorldRules(
  kind: RecordKind,
  record: object,
  { path, problems }: { path: string; problems: ProblemList },
): void {
  if (kind === 'account') {
    const { accountId, connectedAt } = record as Partial<Record<string, unknown>>;
    if (typeof accountId === 'string' && !validators.AccountId(accountId)) {
      problems.add(`${path}.accountId`, 'not a UUID of version 1 to 8 with variant 8, 9, a or b');
    }
    if (typeof connectedAt === 'string' && !isDateTime(connectedAt)) {
      problems.add(`${path}.connectedAt`, 'not an ISO 8601 date-time');
    }
  }
  if (kind === 'review') {
    const { reviewId, date } = record as Partial<Record<string, unknown>>;
    if (reviewId === '') problems.add(`${path}.reviewId`, 'empty');
    if (typeof date === 'string' && !isDateTime(date)) problems.add(`${path}.date`, 'not an ISO 8601 date-time');
  }
}

/** ajv's words name schema keywords; a world file's author has not read the schema. */
function describeSchemaError(path: string, error: SchemaError): [path: string, reason: string] {
  const { instancePath, keyword, params, message } = error;
  const place = path + instancePath.replaceAll('/', '.');
  switch (keyword) {
    case 'required':
      return [`${place}.${String(params.missingProperty)}`, 'missing'];
    case 'type':
      return [place, `not ${describeTypes(params.type)}`];
    case 'enum':
      return [place, `not one of ${(params.allowedValues as unknown[]).join(', ')}`];
    case 'format':
      return [place, params.format === 'uuid' ? 'not a UUID' : 'not an ISO 8601 date-time'];
    default:
      return [place, message ?? keyword];
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

/** `string,null` or a list of names -> `a string or null`. */
function describeTypes(types: unknown): string {
  const names = Array.isArray(types) ? types.map(String) : String(types).split(',');
  return names.map((name) => typeNames[name] ?? name).join(' or ');
}
