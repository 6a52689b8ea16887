// Secrets are taken out by value, wherever they turn up: headers, bodies, error messages, paths. Our own words (ids, titles)
// stay, because a short value of an extra header may well be one of them.
import type { CheckResult, Finding } from '../judge/verdict.ts';
import type { Report } from './report.ts';
import type { StoredExchange } from './stored.ts';

export interface Secret {
  readonly value: string;
  /** The text that takes its place, e.g. `$CONFORMANCE_API_KEY`. */
  readonly placeholder: string;
}

export type Redact = (text: string) => string;

/** Shorter values would tear holes into unrelated text. */
const SECRET_CHARACTERS_MIN = 4;

export function makeRedact(secrets: readonly Secret[]): Redact {
  const pairs = secrets
    .flatMap(({ value, placeholder }) => writings(value).map((writing) => ({ writing, placeholder })))
    .filter(({ writing }) => writing.length >= SECRET_CHARACTERS_MIN)
    .sort((a, b) => b.writing.length - a.writing.length);
  return (text) => {
    let clean = text;
    for (const { writing, placeholder } of pairs) clean = clean.replaceAll(writing, placeholder);
    return clean;
  };
}

/** The value as it stands, percent-encoded, JSON-escaped, in base64, and in the other case of its hex digits. */
function writings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const base64 = Buffer.from(value).toString('base64');
  const tail = base64.replace(/=+$/, '');
  return [...new Set([value, encodeURIComponent(value), json, base64, tail, value.toLowerCase(), value.toUpperCase()])];
}

/** Applies a redaction to every string of a JSON-like value, member names included. */
export function redactDeep(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redact(name), redactDeep(item, redact)]));
}

export function redactReport(report: Report, redact: Redact): Report {
  const { abort } = report;
  return {
    ...report,
    target: redact(report.target),
    checks: report.checks.map((check) => redactResult(check, redact)),
    exchanges: report.exchanges.map((exchange) => redactExchange(exchange, redact)),
    abort: abort && { ...abort, sentence: redact(abort.sentence) },
  };
}

export function redactResult(result: CheckResult, redact: Redact): CheckResult {
  const { verdict, findings } = result;
  const { message } = verdict;
  return {
    ...result,
    verdict: message === undefined ? verdict : { ...verdict, message: redact(message) },
    findings: findings.map((finding) => redactFinding(finding, redact)),
  };
}

function redactFinding(finding: Finding, redact: Redact): Finding {
  const { clause, severity, exchange, ...texts } = finding;
  return { ...(redactDeep(texts, redact) as typeof texts), clause, severity, exchange };
}

function redactExchange(exchange: StoredExchange, redact: Redact): StoredExchange {
  const { id, operation, key, problem, repeatOf, ...texts } = exchange;
  return { ...(redactDeep(texts, redact) as typeof texts), id, operation, key, problem, repeatOf };
}
