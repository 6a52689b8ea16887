// A finding with all that a reader needs next to it: the sentence it breaks, the exchange that shows it, a line to
// repeat it.
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import { curlArguments } from '../../src/terminal/curl.ts';
import { oncePer } from '../exchange/once.ts';
import type { CheckResult, Finding, ResultKind } from '../judge/result.ts';
import type { Report, StoredExchange } from '../report/report.ts';

/** `exchange` and `curl` are null for a finding about no single response. */
export interface Quoted {
  readonly finding: Finding;
  /** The sentence of the contract, in our own words. */
  readonly sentence: string;
  /** Where it says so. */
  readonly at: string;
  readonly exchange: StoredExchange | null;
  readonly curl: string | null;
}

export function quoteFindings(check: CheckResult, report: Report): Quoted[] {
  const evidence = evidenceOf(report);
  return check.findings.map((finding) => {
    const exchange = evidence.get(finding.exchange ?? '') ?? null;
    const { fact, at } = clauses[finding.clause];
    return { finding, sentence: fact, at, exchange, curl: exchange === null ? null : curlOnce(exchange) };
  });
}

// Many findings share a report and an exchange, so each is looked up and written once.
const evidenceOf = oncePer(
  (report: Report): ReadonlyMap<string, StoredExchange> =>
    new Map(report.exchanges.map((exchange) => [exchange.id, exchange])),
);
const curlOnce = oncePer((exchange: StoredExchange) => curlOf(exchange));

/** ` at /data/0/id`, ` (status)`, ` in the header date`; empty for the whole response. */
export function placeOf({ pointer }: Finding): string {
  const header = /^#header\/(.+)$/.exec(pointer)?.[1];
  if (header !== undefined) return ` in the header ${header}`;
  if (pointer === '#status') return ' as status';
  if (pointer === '#headers') return ' in the headers';
  if (pointer === '#body') return ' in the body';
  return pointer === '' ? '' : ` at ${pointer}`;
}

/** `inconclusive (vacuous): nothing was seen`, `skipped: needs --watch`. */
export function reasonOf({ result }: CheckResult): string {
  const reason = result.reason === undefined ? '' : ` (${result.reason})`;
  return `${result.kind}${reason}${result.message === undefined ? '' : `: ${result.message}`}`;
}

/** A rule that no exchange concerned is not news. */
export function isNews({ id, result }: CheckResult): boolean {
  return !(id.startsWith('rule/') && result.reason === 'vacuous');
}

/** By kind, in the order in which the kinds are named. */
export function checksWith(report: Report, ...kinds: readonly ResultKind[]): CheckResult[] {
  return kinds.flatMap((kind) => report.checks.filter(({ result }) => result.kind === kind));
}

/** Open questions by what keeps them open, in the order in which they came up. */
export function doubtsByReason(report: Report): Map<string, CheckResult[]> {
  const groups = new Map<string, CheckResult[]>();
  for (const check of checksWith(report, 'inconclusive').filter(isNews)) {
    const reason = check.result.reason ?? 'vacuous';
    groups.set(reason, [...(groups.get(reason) ?? []), check]);
  }
  return groups;
}

/** Rules that no exchange concerned; they count as inconclusive and are not news. */
export function idleRules(report: Report): CheckResult[] {
  return checksWith(report, 'inconclusive').filter((check) => !isNews(check));
}

/** Checks that did not run, by what they need; the commonest first. */
export function skippedByNeed(report: Report): { need: string; checks: CheckResult[] }[] {
  const groups = new Map<string, CheckResult[]>();
  for (const check of checksWith(report, 'skipped')) {
    const need = (check.result.message ?? '').replace(/^needs /, '');
    groups.set(need, [...(groups.get(need) ?? []), check]);
  }
  return [...groups].map(([need, checks]) => ({ need, checks })).sort((a, b) => b.checks.length - a.checks.length);
}

/** The reasons why clauses were not tested, with the number of clauses; the commonest first. */
export function gapsOf({ coverage }: Pick<Report, 'coverage'>): { why: string; clauses: ClauseId[] }[] {
  const gaps = new Map<string, ClauseId[]>();
  for (const { clause, provable, why } of coverage) {
    if (provable && why !== null) gaps.set(why, [...(gaps.get(why) ?? []), clause]);
  }
  const rows = [...gaps].map(([why, clauses]) => ({ why, clauses }));
  return rows.sort((a, b) => b.clauses.length - a.clauses.length);
}

/** The reasons of an inconclusive check as a reader of a report needs them. */
export const reasonWords: Readonly<Record<string, string>> = {
  precondition: 'the target lacks something that the check needs',
  vacuous: 'nothing was seen that could have failed',
  timing: 'the timing was not exact enough',
  interference: 'other users came between',
  platform: 'the platform, or the way to it, was in trouble',
  budget: 'a limit of the run was used up',
  unreachable: 'it cannot be reached from here',
};

/** The sentences that a check rests on. */
export function sentencesOf(
  cites: readonly ClauseId[],
): { id: ClauseId; fact: string; at: string; standing: string }[] {
  return cites.map((id) => ({ id, ...clauses[id] }));
}

// One line that repeats a request in a shell. Keys are shell variables, everything else is quoted.

/** Set by curl itself, or by the connection. */
const IMPLIED = new Set(['host', 'accept-encoding', 'content-length', 'user-agent']);

/** Spoilt keys are `${CONFORMANCE_API_KEY%?}` and its like. */
const KEY_VARIABLE = /\$(?:CONFORMANCE_[A-Z_]+|\{CONFORMANCE_[A-Z_]+[#%^?*_]*\})/g;
const ANY_VARIABLE = /\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*[#%^?*_]*\})/g;

/** A long body is named as a file of that size, because it would not fit a command line. */
export function curlOf({
  method,
  url,
  requestHeaders,
  requestBody: { text, bytes },
}: Pick<StoredExchange, 'method' | 'url' | 'requestHeaders' | 'requestBody'>): string {
  const headers = Object.entries(requestHeaders)
    .filter(([name]) => !IMPLIED.has(name))
    // A header for the key is ours: no target has a say in it.
    .map(([name, value]) => [name, value, /^authorization$/i.test(name) ? ANY_VARIABLE : KEY_VARIABLE] as const);
  const body = text ?? (bytes > 0 ? bytes : null);
  return ['curl -sS -i', ...curlArguments({ method, url, headers, body, variables: KEY_VARIABLE })].join(' ');
}
