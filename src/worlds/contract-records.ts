// The records of a world that the mock sends as they stand, held against the contract's own schemas, so that a world
// cannot make the mock lie. Cites 2.ids-uuid, 2.at-iso, 2.article.status, 2.review-item.closed.
import type { Article, ConnectedAccount, Keyword, ReviewItem, Site } from '../contract/generated/types.ts';
import type { SchemaError, Validator } from '../contract/generated/validators.js';
import * as validators from '../contract/generated/validators.js';
import { isDateTime } from '../contract/instants.ts';
import type { AccountData } from '../domain/world-data.ts';
import type { ProblemList } from './problems.ts';

type RecordKind = 'site' | 'article' | 'keyword' | 'account' | 'review';

/** How one kind of record is checked. */
interface RecordRule {
  readonly validator: Validator;
  /** The schemas are open where the contract is; a world file is not, because an unknown member is a typing error. */
  readonly members: ReadonlySet<string>;
}

const rules: Readonly<Record<RecordKind, RecordRule>> = {
  site: {
    validator: validators.Site,
    members: namesOf<Site>({ id: 1, name: 1, domain: 1, cms: 1, language: 1, createdAt: 1 }),
  },
  article: {
    validator: validators.Article,
    members: namesOf<Article>({
      ...{ id: 1, siteId: 1, title: 1, slug: 1, status: 1, targetKeyword: 1 },
      ...{ wordCount: 1, seoScore: 1, publishedAt: 1, createdAt: 1, updatedAt: 1 },
    }),
  },
  keyword: {
    validator: validators.Keyword,
    members: namesOf<Keyword>({
      ...{ id: 1, siteId: 1, keyword: 1, searchVolume: 1, difficulty: 1, intent: 1, createdAt: 1 },
    }),
  },
  account: {
    validator: validators.ConnectedAccount,
    members: namesOf<ConnectedAccount & Required<AccountData>>({
      ...{ accountId: 1, provider: 1, label: 1, name: 1, status: 1, locked: 1, connectedAt: 1 },
      ...{ posts: 1, reviews: 1, metrics: 1, trouble: 1 },
    }),
  },
  review: {
    validator: validators.ReviewItem,
    members: namesOf<Required<ReviewItem>>({
      ...{ reviewId: 1, author: 1, rating: 1, text: 1, date: 1, replied: 1, replyText: 1 },
    }),
  },
};

// Asking for an object makes the compiler see that no member is forgotten.
function namesOf<T>(members: Record<keyof T, 1>): ReadonlySet<string> {
  return new Set(Object.keys(members));
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
  const { validator, members } = rules[kind];
  records.forEach((record, i) => {
    const path = `${at.path}[${i}]`;
    if (!validator(record)) {
      for (const error of validator.errors ?? []) {
        // Closed schemas report unknown members too; the loop below does so for all.
        if (error.keyword !== 'additionalProperties') at.problems.add(...describeSchemaError(path, error));
      }
    }
    if (typeof record !== 'object' || record === null) return;
    for (const name of Object.keys(record)) {
      if (!members.has(name)) at.problems.add(`${path}.${name}`, 'unknown member');
    }
    checkWorldRules(kind, record, { path, problems: at.problems });
  });
}

// Conditions of a world beyond the contract: instants that can be moved, ids that a path can name.
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
