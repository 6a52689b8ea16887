// Whether a user's world file is a world. Loads zod, so nothing on the way of a starting mock imports this file.

import { fields } from '../contract/generated/record-fields.ts';
import type { ConnectedAccount } from '../contract/generated/types.ts';
import type { SchemaError, Validator } from '../contract/generated/validators.js';
import * as validators from '../contract/generated/validators.js';
import { isObject } from '../contract/json.ts';
import { isDateTime } from '../contract/timestamps.ts';
import type { AccountData, WorldData } from '../domain/world-data.ts';
import { checkRelations, ProblemList, unknownField } from './cross-checks.ts';
import { checkShape } from './schema.ts';

/** `problems` is for people: where it is wrong, then why, first ones only. */
export type WorldCheck =
  | { readonly ok: true; readonly data: WorldData }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The world, or what is wrong with it: one sentence a problem, such as `organizations[0].id: missing`. */
export function checkWorld(value: unknown): WorldCheck {
  const problems = new ProblemList();
  checkShape(value, problems);
  checkContractRecords(value, problems);
  // Relations are checked when all records are valid; before that they would repeat the same problems.
  if (problems.empty) checkRelations(value as WorldData, problems);
  return problems.empty ? { ok: true, data: value as WorldData } : { ok: false, problems: problems.toSentences() };
}

// The value can be anything yet: the shape has reported everything that is not a list.
function checkContractRecords(value: unknown, problems: ProblemList): void {
  listIn(value, 'organizations').forEach((organization, i) => {
    const path = `organizations[${i}]`;
    checkRecords('site', listIn(organization, 'sites'), { path: `${path}.sites`, problems });
    checkRecords('article', listIn(organization, 'articles'), { path: `${path}.articles`, problems });
    checkRecords('keyword', listIn(organization, 'keywords'), { path: `${path}.keywords`, problems });
    const accounts = listIn(organization, 'accounts');
    checkRecords('account', accounts, { path: `${path}.accounts`, problems });
    accounts.forEach((account, k) => {
      checkRecords('review', listIn(account, 'reviews'), { path: `${path}.accounts[${k}].reviews`, problems });
    });
  });
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}

// Validates the records of a world that the mock sends unchanged with the contract's own schemas, so a world cannot
// make the mock violate it. Cites 2.ids-uuid, 2.at-iso, 2.article.status, 2.review-item.closed.

type RecordKind = 'site' | 'article' | 'keyword' | 'account' | 'review';

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
  isReplied: true,
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

export function fieldsOf(kind: RecordKind): ReadonlySet<string> {
  return rules[kind].fields;
}

/**
 * Adds what the contract's schema and the rules of a world find wrong; `at.path` names the list, such as
 * `organizations[0].sites`.
 */
function checkRecords(
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
