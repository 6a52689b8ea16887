// An error on demand, asked for by the request itself: `Prefer: code=401, example=provider_auth`, or
// `?__code=401&__example=provider_auth` where a header cannot be set. It counts for this one request only.
import { type ErrorExampleName, errorExamples } from '../contract/generated/errors.ts';
import type { Fault } from '../domain/faults.ts';
import type { CoreRequest } from './message.ts';
import { readQuery } from './query.ts';

/** The fault asked for, null for none, or a sentence that says why it cannot be had. */
export function askedFault({ headers, query }: CoreRequest): Fault | string | null {
  const { prefer } = headers;
  if (prefer !== undefined && /(^|[,;\s])(code|example)\s*=/i.test(prefer)) {
    const wishes = readPreferences(prefer);
    return findFault(wishes.code, wishes.example, 'Prefer');
  }
  if (!query.includes('__')) return null;
  const values = readQuery(query);
  if (values.__code === undefined && values.__example === undefined) return null;
  return findFault(values.__code, values.__example, '__code');
}

function readPreferences(header: string): Record<string, string> {
  const wishes: Record<string, string> = {};
  for (const part of header.split(/[,;]/)) {
    // In two steps: one pattern over name and value would take a second for a header full of blanks.
    const [, name = '', rest = ''] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
    const value = /^"?([^"\s]*)"?$/.exec(rest.trim())?.[1];
    if (/^[a-z]+$/i.test(name.trim()) && value !== undefined) wishes[name.trim().toLowerCase()] = value;
  }
  return wishes;
}

function findFault(code: string | undefined, example: string | undefined, source: string): Fault | string | null {
  if (example !== undefined) return findByName(example, code, source);
  const status = Number(code);
  if (status === 200) return null;
  const found = Object.entries(errorExamples).filter(
    ([, { status: own, code: ownCode }]) => own === status || ownCode === code,
  );
  const preferred = found.find(([name]) => name === preferredExamples[status]) ?? found[0];
  if (preferred) return { error: preferred[0] as ErrorExampleName, source };
  return `No error of the contract has the code "${code}". Statuses: ${knownStatuses().join(', ')}.`;
}

function findByName(example: string, code: string | undefined, source: string): Fault | string {
  const names = Object.keys(errorExamples);
  if (!Object.hasOwn(errorExamples, example)) return `There is no example "${example}". Known: ${names.join(', ')}.`;
  const name = example as ErrorExampleName;
  const { status, code: own } = errorExamples[name];
  if (code === undefined || Number(code) === status || code === own) return { error: name, source };
  return `The example "${example}" has status ${status}, not ${code}.`;
}

// Where several errors share a status, the one that most requests mean.
const preferredExamples: Readonly<Record<number, ErrorExampleName>> = {
  400: 'invalid_input',
  401: 'unauthorized',
  402: 'payment_method_required',
  429: 'limiter_key',
};

function knownStatuses(): number[] {
  return [...new Set(Object.values(errorExamples).map(({ status }) => status))].sort((a, b) => a - b);
}
