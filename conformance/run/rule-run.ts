// The rules over a stream of exchanges, whether a run makes them or a file holds them. Each rule has one ledger for all
// of them, and one row in the report.

import { type Exchange, rejectsChunks } from '../exchange/exchange.ts';
import { type Ledger, makeLedger } from '../judge/ledger.ts';
import type { CheckResult } from '../judge/result.ts';
import type { Rule, RuleContext } from '../judge/rule.ts';
import type { Check } from '../probe/check.ts';

/** All rules of a run together. */
export interface RuleRun {
  check(exchange: Exchange): void;
  hasFailed(): boolean;
  finish(): CheckResult[];
}

/** A rule that throws is recorded as a crash, and the others continue. */
export function applyRules(rules: readonly Rule[], context: RuleContext): RuleRun {
  const rows = rules.map((rule) => ({ rule, ledger: makeLedger(rule.level), exchanges: new Set<string>() }));
  return {
    check(exchange) {
      if (rejectsChunks(exchange)) return;
      for (const { rule, ledger, exchanges } of rows) {
        const before = ledger.evidence;
        try {
          rule.check(exchange, ledger, context);
        } catch (error) {
          ledger.crash(`the rule itself broke: ${error instanceof Error ? error.message : String(error)}`);
        }
        if (ledger.evidence > before) exchanges.add(exchange.id);
      }
    },
    hasFailed: () => rows.some(({ ledger }) => ledger.conclude().kind === 'fail'),
    finish: () => rows.map(({ rule, ledger, exchanges }) => toResult(rule, ledger, [...exchanges])),
  };
}

/** The row of a report, from the ledger of a check or a rule. */
export function toResult(row: Check | Rule, ledger: Ledger, exchanges: readonly string[]): CheckResult {
  const { id, title, level, cites } = row;
  return {
    id,
    title,
    level,
    cites,
    exchanges,
    result: ledger.conclude(),
    findings: ledger.findings(),
    evidence: ledger.evidence,
    shown: [...ledger.shown],
    shownIn: ledger.shownIn,
  };
}
