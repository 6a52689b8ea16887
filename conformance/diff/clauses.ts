// Verdicts on clauses, side by side. A side that breaks a clause is at fault; where both break it they are the same.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { isTested } from '../judge/verdict.ts';
import { keyRows } from '../probe/capabilities.ts';
import type { ClauseCoverage } from '../report/coverage.ts';
import type { Layer, SideName } from '../report/difference.ts';
import type { Relation } from './relation.ts';

/** Clauses about more than one answer: the order of lists, chains of pages, and windows. */
const laws: readonly RegExp[] = [
  /^4\.articles\.list\.(cursor-value|end|walk|ties|order)$/,
  /^4\.articles\.get\.same-id$|^4\.sites\.get\.same-id$/,
  /^4\.rules\.reviews-(pagination|stop|walk)$|^4\.connect\.list-reviews\.(cursor|order)$/,
  /^4\.calls\.(settled-only|exactly-once|oldest-first|next-cursor-.*|since-meaning|reread|snapshot-.*)$/,
  /^4\.connect\.insights\.range-default$/,
  /^5\.limiter-before-key$/,
  /^8\.(key-window|address-window).*$|^8\.headers\.(remaining|reset)$|^8\.blocked-count$/,
];

/** Whether a clause speaks of one answer or of several. */
export function layerOf(clause: ClauseId): Layer {
  return laws.some((law) => law.test(clause)) ? 'law' : 'verdict';
}

const words: Readonly<Record<string, string>> = { pass: 'holds', warn: 'is warned of', fail: 'is broken' };

/** The verdict in the words of a table; null where there is none. */
export function showVerdict({ verdict }: ClauseCoverage): string | null {
  return isTested(verdict) ? (words[verdict ?? ''] ?? null) : null;
}

/** How a clause of A stands to that of B. */
export function relateClauses(a: ClauseCoverage, b: ClauseCoverage): Relation {
  if (isTested(a.verdict) && isTested(b.verdict)) return { kind: a.verdict === b.verdict ? 'same' : 'differs' };
  const open = isTested(a.verdict) ? b : a;
  const side = isTested(a.verdict) ? 'B: ' : isTested(b.verdict) ? 'A: ' : '';
  const why = open.why ?? 'no answer tells of it';
  return { kind: 'open', why: `${side}${why.startsWith('needs ') ? openedHere(why) : why}` };
}

/** What a comparison takes is told in its own flags; writes and time are things of an audit. */
function openedHere(needs: string): string {
  if (needs.includes('--allow-writes')) return `a comparison writes nothing: an audit ${needs}`;
  if (needs.includes('--mcp-url')) return 'needs --mcp-url-a URL and --mcp-url-b URL';
  const key = [keyRows.second, keyRows.revoked].find(({ variable }) => needs.includes(variable));
  if (key !== undefined) return `needs ${key.variable}_A and ${key.variable}_B`;
  return `no plain run shows it: an audit ${needs}`;
}

/** Which side breaks the clause. */
export function faultOf(a: ClauseCoverage, b: ClauseCoverage): SideName | 'both' | null {
  const [isA, isB] = [a.verdict === 'fail', b.verdict === 'fail'];
  if (isA && isB) return 'both';
  return isA ? 'A' : isB ? 'B' : null;
}
