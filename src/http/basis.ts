// How the mock knows each field of a response: from the contract, from a deployment, or by an assumption.
import type { Basis } from '../contract/basis.ts';
import { assumedDetails, type BehaviorId, behaviors } from '../contract/generated/behaviors.ts';
import { errorStatus } from '../contract/generated/errors.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { fields, places } from '../contract/generated/record-fields.ts';
import { clauseOf } from '../contract/object-clauses.ts';
import type { LearntFrom } from '../contract/profile.ts';
import { words } from '../contract/words.ts';
import type { CoreRequest } from './message.ts';
import { readQuery } from './query.ts';

/** The behaviors that change a field, by `Article.createdAt`. */
const behaviorsOfField = new Map<string, BehaviorId[]>();
for (const [id, row] of Object.entries(behaviors) as [BehaviorId, { fields?: readonly string[] }][])
  for (const field of row.fields ?? []) behaviorsOfField.set(field, [...(behaviorsOfField.get(field) ?? []), id]);

/** Behaviors that change how a value is written or which it is, and neither presence nor JSON type. */
const ofValues: ReadonlySet<string> = new Set([
  ...words('idCase numbers insightLagDays insightPoints articleEnd reviewCursor'),
  ...Object.keys(behaviors).filter((id) => behaviors[id as BehaviorId].kind === 'form'),
]);

/** `values`: whether the basis covers the form of a value too, or only that the field is there with its JSON type. */
interface Known {
  readonly learnt?: LearntFrom | undefined;
  readonly values?: boolean;
}

const ofRecords: ReadonlySet<string> = new Set(['Article', 'Site', 'Keyword']);

/** Returns the basis of each field of a success response, by its path; `*` is each item of a list. */
export function basisOf(operation: string, { learnt, values = true }: Known): Readonly<Record<string, Basis>> {
  const found: Record<string, Basis> = {};
  // A format that only other operations showed is an assumption.
  const isRead = learnt?.responses === undefined || Object.hasOwn(learnt.responses, operation);
  const source = isRead ? learnt : undefined;
  for (const { path, of } of places[operation as OperationId] ?? [])
    for (const field of fields[of]) found[`${path}/${field}`] = basisOfField(of, field, { learnt: source, values });
  // A profile has the additional fields of envelopes and of these records.
  for (const { path, of } of places[operation as OperationId] ?? [])
    if (path === '' || ofRecords.has(of)) found[`${path}/*`] = basisBy(['extraFields'], source);
  if (operation === 'listCalls')
    found['/data/calls/*/*'] = basisOfField('ListCallsOutput', 'calls', { learnt: source });
  return found;
}

/** Returns the basis of each field of any response to an operation of the contract. */
export function basisOfResponse(
  operation: string,
  status: number,
  { learnt, values = true, blockedBy }: Known & { readonly blockedBy: string | null },
): Readonly<Record<string, Basis>> {
  if (status === 200) return basisOf(operation, { learnt, values });
  if (!Object.hasOwn(operations, operation)) return {};
  return basisOfError({ operation: operation as OperationId, status, blockedBy }, learnt);
}

interface ErrorOf {
  readonly operation: OperationId;
  readonly status: number;
  readonly blockedBy: string | null;
}

/** Returns the basis of each field of an error response. The place of `issues` is one of the learnt details. */
function basisOfError(
  { operation, status, blockedBy }: ErrorOf,
  learnt: LearntFrom | undefined,
): Readonly<Record<string, Basis>> {
  if (blockedBy !== null) return { '/error': 'contract 7.envelope.limiter' };
  const { envelope } = operations[operation];
  const isSimple = envelope === 'simple';
  const isInvalid = status === errorStatus.invalid_input;
  return {
    '/error': `contract 7.envelope.${envelope}`,
    '/error/code': isSimple && isInvalid ? basisBy(['simpleBadCode'], learnt) : `contract 7.envelope.${envelope}`,
    '/error/message': basisBy(['errorMessages'], learnt),
    ...(isInvalid && { '/error/issues': basisBy(isSimple ? ['issues', 'simpleIssues'] : ['issues'], learnt) }),
    ...(isInvalid && { '/error/issues/*/*': detail('issueTexts') }),
    ...(status === errorStatus.payment_required && { '/error/reason': detail('reasons') }),
    '/error/*': basisBy(['extraFields'], learnt),
    '/*': basisBy(['extraFields'], learnt),
  };
}

const detail = (id: 'issueTexts' | 'reasons'): Basis => `assumed ${assumedDetails[id]?.interpretation ?? ''} (${id})`;

function basisOfField(object: keyof typeof fields, field: string, { learnt, values = true }: Known): Basis {
  const open = values && Object.entries(assumedDetails).find(([, row]) => row.fields?.includes(`${object}.${field}`));
  if (open) return `assumed ${open[1].interpretation} (${open[0]})`;
  const all = behaviorsOfField.get(`${object}.${field}`) ?? [];
  const ids = values ? all : all.filter((id) => !ofValues.has(id));
  if (ids.length === 0) return `contract ${clauseOf(object, field)}`;
  return learnt?.leftOut?.includes(`${object}.${field}`) ? 'assumed R13 (records)' : basisBy(ids, learnt);
}

function basisBy(ids: readonly BehaviorId[], learnt: LearntFrom | undefined): Basis {
  const missing = ids.find((id) => learnt?.seen[id] === undefined);
  if (missing !== undefined) return `assumed ${behaviors[missing].interpretation} (${missing})`;
  const seen = Math.min(...ids.map((id) => learnt?.seen[id] ?? 0));
  return `learnt ${ids.join('+')} (seen ${seen}, ${learnt?.on})`;
}

/** Whether a request wants the header: `Prefer: basis`, or `?__basis=1`. */
export function asksForBasis({ headers, query }: CoreRequest): boolean {
  return (
    /(^|[,;\s])basis\b/i.test(headers.prefer ?? '') || (query.includes('__basis') && '__basis' in readQuery(query))
  );
}
