// `createPost=provider_auth@3x`: a fault rule in one word, for `--fault`, `casa.faults.add` and `/__admin/faults`.
// `faultGrammar` is its help.
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { type ToolName, tools } from '../contract/generated/tools.ts';
import {
  ambiguity,
  type Effects,
  type FaultRule,
  faultErrorNames,
  faultStatuses,
  networkFaults,
  readDelay,
  readErrorWord,
  readNetworkWord,
  readRetryAfter,
} from '../domain/faults.ts';
import { didYouMean } from '../terminal/suggestion.ts';

/** Lists what the tables of the contract list, so a new operation or error is in the help at once. */
export const faultGrammar = `Fault specs: --fault OPERATION=EFFECT[+EFFECT][@FREQUENCY]
  OPERATION  * for all, or ${wrap(Object.keys(operations), 13)}
             MCP only: ${wrap(Object.keys(tools), 13)}
  EFFECT     Status: ${faultStatuses.join(', ')}
             Error: ${wrap(faultErrorNames, 13)}
             429: limiter_key and limiter_address from the API, rate_limited from the social platform
             Network fault: network:KIND, where KIND is ${networkFaults.join(', ')}
             Wait time of a 429: retry-after:SECONDS, or retry-after:none
             Delay: latency:TIME, for example 2s, or 2000 for milliseconds
  FREQUENCY  0.1 for about 10% of requests, 3x for the next three (default: every request)
  Examples   createPost=provider_auth   *=limiter_key@0.1
             listReviews=network:reset@1x   getInsights=transient+latency:2s
`;

/** Throws a `RangeError` that names the wrong part of the spec. `warn` gets a sentence for each ambiguous part. */
export function parseFaultSpec(spec: string, id: string, warn: (sentence: string) => void = () => {}): FaultRule {
  const [, target, effects, often] = /^([^=]+)=([^@]+)(?:@(.+))?$/.exec(spec) ?? [];
  if (target === undefined || effects === undefined) {
    throw new RangeError(`A fault must be OPERATION=EFFECT, for example createPost=provider_auth, not "${spec}".`);
  }
  for (const sentence of doubts(effects, often)) warn(`${spec}: ${sentence}`);
  const parsed: Effects = {};
  for (const effect of effects.split('+')) Object.assign(parsed, parseEffect(effect, parsed, spec));
  if (parsed.retryAfterS !== undefined && parsed.error === undefined)
    throw new RangeError(`The fault "${spec}" needs an error for retry-after, for example *=429+retry-after:5.`);
  return { id, match: parseTarget(target), ...parsed, ...(often === undefined ? {} : parseFrequency(often, spec)) };
}

function* doubts(effects: string, often: string | undefined): Iterable<string> {
  for (const effect of effects.split('+')) {
    const sentence = ambiguity(effect);
    if (sentence !== null) yield sentence;
    const ms = /^latency:([1-9]\d?)$/.exec(effect)?.[1];
    if (ms !== undefined) yield `latency:${ms} is ${ms} milliseconds. For seconds, write latency:${ms}s.`;
  }
  if (/^1(\.0+)?$/.test(often ?? '')) yield `@${often} means every request. For one request, write @1x.`;
}

/** An operation strikes through both endpoints, a tool through the MCP endpoint alone. */
function parseTarget(target: string): FaultRule['match'] {
  if (target === '*') return {};
  if (Object.hasOwn(operations, target) || Object.hasOwn(tools, target))
    return { operation: target as OperationId | ToolName };
  // The list shows operations, so a tool is suggested only if no operation is near.
  const hint = didYouMean(target, Object.keys(operations)) || didYouMean(target, Object.keys(tools));
  throw new RangeError(
    `There is no operation "${target}".${hint} ` + `Operations: *, ${Object.keys(operations).join(', ')}.`,
  );
}

/** `sofar` has the earlier effects: a second error or delay in one spec is a mistake. */
function parseEffect(effect: string, sofar: Effects, spec: string): Effects {
  const [kind, rest] = effect.split(':', 2) as [string, string | undefined];
  const found = rest === undefined ? readErrorWord(kind) : readTimed(kind, rest);
  if (typeof found === 'string') throw new RangeError(found);
  const twice = Object.keys(found).find((name) => Object.hasOwn(sofar, name));
  if (twice !== undefined) throw new RangeError(`The fault "${spec}" gives more than one ${twice.replace('Ms', '')}.`);
  return found;
}

/** The two effects with a value after a colon. */
function readTimed(kind: string, value: string): Effects | string {
  if (kind === 'latency') return readDelay(value, kind, 1);
  if (kind === 'network') return readNetworkWord(value);
  if (kind === 'retry-after') return readRetryAfter(value);
  return `A fault takes an error, network:KIND, retry-after:SECONDS or latency:TIME, not "${kind}:${value}".`;
}

/** `@3x` counts, `@0.1` is a share; a bare `@3` could mean either and is rejected. */
function parseFrequency(often: string, spec: string): Pick<FaultRule, 'times' | 'probability'> {
  const times = /^(\d{1,9})x$/.exec(often)?.[1];
  if (times !== undefined && Number(times) > 0) return { times: Number(times) };
  if (/^(0?\.\d+|0|1(\.0+)?)$/.test(often)) return { probability: Number(often) };
  throw new RangeError(`The fault "${spec}" ends in @${often}; it takes a share from 0 to 1 (@0.1) or times (@3x).`);
}

/** A help line of a terminal: 72 columns and the indent. */
function wrap(words: readonly string[], indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (`${line}, ${word}`.length > 72) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line}, ${word}`;
  }
  return [...lines, line].join(`,\n${' '.repeat(indent)}`);
}
