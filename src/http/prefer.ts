// An error or a delay on demand, asked for by the request itself: `Prefer: code=401, example=provider_auth, wait=2`, or
// `?__code=401&__example=provider_auth&__delay=2s` where a header cannot be set. It counts for this one request only.
import {
  errorsOnDemand,
  type FaultError,
  faultErrorNamed,
  faultErrorNames,
  faultErrorOfStatus,
  knownStatuses,
  namesOfStatus,
} from '../domain/errors-on-demand.ts';
import { type Fault, latencyMaxMs } from '../domain/faults.ts';
import { parseDuration } from '../terminal/duration.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import type { CoreRequest } from './message.ts';
import { readQuery } from './query.ts';

/** Part of `casa mock --help`. */
export const preferGrammar = `Errors and delays for one request
  Prefer: code=401, example=provider_auth, wait=2     or in the URL  ?__code=401&__example=provider_auth&__delay=2s
  CODE       a status (${knownStatuses().join(', ')}) or a code of the contract
  EXAMPLE    the name of an error, as for faults
  A wish that cannot be granted answers 400, says what there is, and changes nothing.
`;

/** Texts as they were sent, from whichever of the two places. */
interface Wish {
  readonly code: string | undefined;
  readonly example: string | undefined;
  readonly delay: string | undefined;
  readonly source: 'Prefer' | '__code';
}

/** The fault asked for, null for none, or a sentence that says why it is not available. */
export function askedFault({ headers, query }: CoreRequest): Fault | string | null {
  const { prefer } = headers;
  if (prefer !== undefined && /(^|[,;\s])(code|example|wait)\s*=/i.test(prefer)) {
    const { code, example, wait } = readPreferences(prefer);
    return grant({ code, example, delay: wait, source: 'Prefer' });
  }
  if (!query.includes('__')) return null;
  const { __code: code, __example: example, __delay: delay } = readQuery(query);
  if (code === undefined && example === undefined && delay === undefined) return null;
  return grant({ code, example, delay, source: '__code' });
}

/** RFC 7240, as far as it concerns us: names without case, values with quotes or without. */
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

/** The fault that was asked for, null for none, or a sentence that says why it is not available. */
function grant({ code, example, delay, source }: Wish): Fault | string | null {
  const latencyMs = delay === undefined ? undefined : readDelay(delay, source);
  if (typeof latencyMs === 'string') return latencyMs;
  const found = example === undefined ? findByCode(code) : findByName(example, code);
  if (found !== null && !Object.hasOwn(errorsOnDemand, found)) return found;
  if (found === null && latencyMs === undefined) return null;
  return { ...(found === null ? {} : { error: found as FaultError }), latencyMs, source };
}

// Seconds in the header, as HTTP has them; in the URL with their unit.
function readDelay(text: string, source: Wish['source']): number | string {
  const name = source === 'Prefer' ? 'wait' : '__delay';
  const ms = source === 'Prefer' && /^\d+$/.test(text) ? Number(text) * 1000 : parseDuration(text);
  if (ms !== null && ms <= latencyMaxMs) return ms;
  const example = source === 'Prefer' ? 'wait=2 (seconds)' : '__delay=2s';
  return `${name} takes a time up to ${latencyMaxMs / 1000} s, such as ${example}, not "${text}".`;
}

/** The name of an error, null for none, or a sentence. */
function findByCode(code: string | undefined): string | null {
  if (code === undefined || code === '200') return null;
  const known = knownStatuses().join(', ');
  return (
    faultErrorNamed(code) ??
    faultErrorOfStatus(Number(code)) ??
    `There is no error with the code "${code}".${didYouMean(code, faultErrorNames)} Statuses: ${known}.`
  );
}

/** With a code beside it the two have to agree: else one of them is a mistake. */
function findByName(example: string, code: string | undefined): string {
  const name = faultErrorNamed(example);
  if (name === null) {
    const guess = didYouMean(example, faultErrorNames);
    return `There is no example "${example}".${guess} Examples: ${faultErrorNames.join(', ')}.`;
  }
  const { status, code: own } = errorsOnDemand[name];
  if (code === undefined || Number(code) === status || code === own) return name;
  const others = namesOfStatus(Number(code));
  const instead = others.length === 0 ? '' : ` Examples of ${code}: ${others.join(', ')}.`;
  return `The example "${example}" has the status ${status}, not ${code}.${instead}`;
}
