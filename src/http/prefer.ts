// An error, a network fault or a delay on demand, requested by the request itself: `Prefer: code=503, wait=2`, or
// `?__code=503&__network=reset&__delay=2s` where a header cannot be set. It counts for this one request only.
import {
  type Effects,
  errorsOfWord,
  errorsOnDemand,
  type Fault,
  faultStatuses,
  gatewayErrors,
  isGatewayError,
  networkFaults,
  readDelay,
  readErrorWord,
  readNetworkWord,
} from '../domain/faults.ts';
import { didYouMean, nearest } from '../terminal/suggestion.ts';
import type { CoreRequest } from './message.ts';
import { readQuery } from './query.ts';

/** Part of `casa mock --help faults`. */
export const preferGrammar = `Errors for one request: add a Prefer header or query parameters
  Prefer: code=CODE, example=EXAMPLE, wait=SECONDS  ?__code=CODE&__example=EXAMPLE&__delay=TIME
  Prefer: network=NETWORK                           ?__network=NETWORK

  CODE     Status (${faultStatuses.join(', ')}) or error name
  EXAMPLE  Error name, for a status with several errors
  NETWORK  ${networkFaults.join(', ')}
  TIME     For example 2s, or 2000 for milliseconds
  Examples Prefer: code=401, example=provider_auth, wait=2   ?__code=503&__delay=2s

  The response header x-casa-fault names the error. Unknown names and values return 400.

Source of each field: add Prefer: basis, or ?__basis=1
  The response header x-casa-basis shows how the mock knows each field.
`;

/** Both places take the same names; in the URL they begin with `__`. */
const wishNames = ['code', 'example', 'network', 'delay', 'wait', 'basis'] as const;
type Wishes = { readonly [Name in (typeof wishNames)[number]]?: string };

/** The fault asked for, null for none, or a sentence that says why it is not available. */
export function askedFault({ headers, query }: CoreRequest): Fault | string | null {
  const { prefer } = headers;
  const asked = prefer === undefined ? null : grant(readPreferences(prefer), 'Prefer');
  if (asked !== null || !query.includes('__')) return asked;
  const own = Object.entries(readQuery(query)).filter(([name]) => name.startsWith('__'));
  return grant(Object.fromEntries(own.map(([name, value]) => [name.slice(2), value])), 'query');
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

/** Names in `Prefer` that others define are ignored (RFC 7240, section 2); all that begin with `__` are ours. */
function grant(wishes: Record<string, string>, source: Fault['source']): Fault | string | null {
  const isHeader = source === 'Prefer';
  const spell = (name: string) => (isHeader ? name : `__${name}`);
  const unknown = Object.keys(wishes).find(
    (name) => !(wishNames as readonly string[]).includes(name) && (!isHeader || nearest(name, wishNames) !== null),
  );
  if (unknown !== undefined) {
    const known = didYouMean(unknown, wishNames, spell) || ` Known: ${wishNames.map(spell).join(', ')}.`;
    return `There is no ${isHeader ? 'preference' : 'parameter'} "${spell(unknown)}".${known}`;
  }
  const { code, example, network, delay, wait }: Wishes = wishes;
  const effects: Effects = {};
  for (const found of [
    example === undefined ? readCode(code) : readExample(example, code),
    network === undefined ? {} : readNetworkWord(network),
    delay === undefined ? {} : readDelay(delay, spell('delay'), null),
    // Seconds, as HTTP has them.
    wait === undefined ? {} : readDelay(wait, spell('wait'), secondMs),
  ]) {
    if (typeof found === 'string') return found;
    Object.assign(effects, found);
  }
  return Object.keys(effects).length === 0 ? null : { ...effects, source };
}

const secondMs = 1000;

function readCode(code: string | undefined): Effects | string {
  return code === undefined || code === '200' ? {} : readErrorWord(code);
}

/** With a code next to it the two have to agree: else one of them is a mistake. */
function readExample(example: string, code: string | undefined): Effects | string {
  const found = readErrorWord(example);
  if (typeof found === 'string' || found.error === undefined || code === undefined) return found;
  const others = errorsOfWord(code);
  const { status } = isGatewayError(found.error) ? gatewayErrors[found.error] : errorsOnDemand[found.error];
  if (others.includes(found.error) || code === String(status)) return found;
  const instead = others.length === 0 ? '' : ` Examples of ${code}: ${others.join(', ')}.`;
  return `The example "${example}" has the status ${status}, not ${code}.${instead}`;
}
