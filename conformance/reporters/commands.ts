// From a finding to the shell commands that can show it: a request, requests in order, a burst, or the checks again.
import { addressWindow } from '../../src/contract/generated/limits.ts';
import { flagOf, noFlag, type Option } from '../../src/options/define-options.ts';
import { quote } from '../../src/terminal/curl.ts';
import { isObject, namedClient } from '../exchange/exchange.ts';
import { oncePer } from '../exchange/history.ts';
import type { CheckResult, Finding } from '../judge/result.ts';
import { betweenKeys, isOfIsolation, isOfMcp } from '../report/coverage.ts';
import { type Cause, sequenceOf } from '../report/diagnosis/causes.ts';
import type { Report, StoredExchange } from '../report/report.ts';
import { type OptionName, options as optionRows, runTable } from '../scenarios/capabilities.ts';
import { curlOf } from './curl.ts';

export type Evidence = ReadonlyMap<string, StoredExchange>;

/** Many findings share a report and an exchange, so each is looked up and written once. */
export const evidenceOf = oncePer(
  (report: Report): Evidence => new Map(report.exchanges.map((exchange) => [exchange.id, exchange])),
);
/** A request of a burst may name another client for the limiter, which matters to findings about that only. */
const curlOnce = oncePer(({ requestHeaders, ...exchange }: StoredExchange) => {
  const plain = Object.entries(requestHeaders).filter(([, value]) => !value.includes(namedClient()));
  return curlOf({ ...exchange, requestHeaders: Object.fromEntries(plain) });
});

/** Concurrent requests of one burst leave within this time. */
const burstMs = 500;

/** A loop that repeats a request that fails sometimes. The limit of an address is ten requests. */
const [loopMin, loopMax] = [6, 9];

/** A longer command hides everything else on a screen, and a shell may reject it. */
const commandCharactersMax = 1500;

function inShort(commands: string[], id: string, report: Report): string[] {
  const isLong = isSent(report) && commands.some(({ length }) => length > commandCharactersMax);
  return isLong ? [runOf(report, id)] : commands;
}

export const isSent = ({ compared, recorded }: Report) => compared === undefined && recorded === null;

/** The commands of a finding, from the fields that a JSON report has of it; empty where none shows it. */
export function commandsOf(finding: Finding, check: Checked, report: Report): string[] {
  return inShort(requestsOf(finding, check, report), check.id, report);
}

type Checked = Pick<CheckResult, 'id' | 'exchanges'>;

function requestsOf(finding: Finding, { id, exchanges }: Checked, report: Report): string[] {
  const evidence = evidenceOf(report);
  const own = evidence.get(finding.exchange ?? '');
  const before = exchanges.map((each) => evidence.get(each));
  if (isSent(report) && (own === undefined || !isShownByCurl({ id, finding, own, before, report })))
    return [runOf(report, id)];
  if (own === undefined) return [];
  if (isOfLimit(id, finding) || own.status === 429) return [burstOf(own, finding, evidence)];
  return withBothKeys([curlOnce(own)], { id, finding, own });
}

/** The same for a cause, whose proof needs earlier requests: they fill a cache or return a cursor. */
export function commandsOfCause(cause: Cause, report: Report): string[] {
  return inShort(sequenceFor(cause, report), cause.checks[0] ?? '', report);
}

function sequenceFor(cause: Cause, report: Report): string[] {
  const { finding, checks, scope } = cause;
  const { pointer, proof = [], unsteady } = finding;
  const evidence = evidenceOf(report);
  const own = evidence.get(finding.exchange ?? '');
  const [id = ''] = checks;
  const check = report.checks.find((each) => each.id === id) ?? { id, exchanges: [] };
  const simple = commandsOf(finding, check, report);
  if (simple[0]?.startsWith('npx ')) return simple;
  const sequence = sequenceOf(cause, [...evidence.values()]).requests;
  if (unsteady !== undefined && sequence[0] !== undefined) {
    const record = quote(unsteady.record);
    return [
      `for n in $(seq ${Math.min(loopMax, scope.of)}); do ${curlOnce(sequence[0])} | grep -cF -- ${record}; done`,
    ];
  }
  if (own?.burst && proof.some(({ shows }) => shows.includes(' at once '))) return [burstOf(own, finding, evidence)];
  if (sequence.length > 1) return withBothKeys(sequence.map(curlOnce), { id, finding, own: sequence[0] });
  const isSometimes = own?.method === 'GET' && pointer === '#status' && scope.seen < scope.of;
  if (!isSometimes || simple[0] !== curlOnce(own)) return simple;
  return [`for n in $(seq ${Math.min(loopMax, Math.max(loopMin, scope.of))}); do ${simple[0]} ${statusOnly}; done`];
}

/** Whether it is more than the request of the finding itself. */
export function isSequence(commands: readonly string[], finding: Finding, report: Report): boolean {
  const own = evidenceOf(report).get(finding.exchange ?? '');
  return commands.length > 1 || (commands.length === 1 && (own === undefined || commands[0] !== curlOnce(own)));
}

interface Shown {
  readonly id: string;
  readonly finding: Finding;
  readonly own: StoredExchange;
}

/** A session of MCP, a wait, a count over a minute, and a write before a read need more than a few requests. */
function isShownByCurl({
  id,
  finding,
  own,
  before,
  report,
}: Shown & { readonly before: readonly (StoredExchange | undefined)[]; readonly report: Report }): boolean {
  if (id.startsWith('mcp/') || isOfMcp(finding.clause) || !own.url.startsWith(report.target)) return false;
  if (isOfLimit(id, finding) && !own.burst && (own.status !== 429 || finding.pointer === '#status')) return false;
  const at = before.indexOf(own);
  const isWritten = before
    .slice(0, at)
    .some((each) => each !== undefined && each.method !== 'GET' && each.status < 300);
  return own.method !== 'GET' || !isWritten;
}

const isOfLimit = (id: string, { clause }: Finding) => id.startsWith('limits/') && !clause.startsWith('8.body-');

const statusOnly = `-o /dev/null -w '%{http_code}\\n'`;

/** One more than the limit of an address, or as many as the run sent. A header or a body is shown whole. */
function burstOf(own: StoredExchange, { pointer, expected }: Finding, evidence: Evidence): string {
  const sent = [...evidence.values()].filter((each) => each.burst && Math.abs(each.sentAt - own.sentAt) < burstMs);
  const size = sent.length < 2 ? addressWindow.limit + 2 : sent.length;
  const isStatus = !/^(#header\/|#body|\/)/.test(pointer);
  const isOfClient = /\b(Forwarded|IP)\b/.test(expected);
  const curl = isOfClient ? curlOf(own).replaceAll(aClient, `${namedClient()}'"$n"'`) : curlOnce(own);
  return `for n in $(seq ${size}); do ${curl}${isStatus ? ` ${statusOnly}` : ''} & done; wait`;
}

const aClient = new RegExp(`${namedClient().replaceAll('.', '\\.')}\\d+`, 'g');

const [oneKey, otherKey] = ['$CONFORMANCE_API_KEY', '$CONFORMANCE_SECOND_KEY'];
/** Isolation shows only with both keys: the same request with the other one comes first. */
function withBothKeys(
  commands: string[],
  { id, finding, own }: Omit<Shown, 'own'> & { own: StoredExchange | undefined },
): string[] {
  const isBetween = isOfIsolation(id) || betweenKeys.has(finding.clause);
  const all = commands.join('\n');
  if (!isBetween || own === undefined || (all.includes(oneKey) && all.includes(otherKey))) return commands;
  const first = commands[0] ?? '';
  const other = own.key === 'second' ? first.replaceAll(otherKey, oneKey) : first.replaceAll(oneKey, otherKey);
  return other === first ? commands : [other, ...commands];
}

export function runOf({ target, inputs }: Report, ...ids: string[]): string {
  return runCommand({ target, options: inputs?.options }, ids);
}

interface Run {
  readonly target: string;
  readonly options: unknown;
}

/** The checks again, with the options of the run; the whole run without ids. */
export function runCommand({ target, options }: Run, ids: readonly string[]): string {
  const given = isObject(options) ? Object.entries(options) : [];
  const own = given.filter(([name]) => isFlag(name) && (ids.length === 0 || !['only', 'skip'].includes(name)));
  const hasSender = ids.some((id) => !id.startsWith('rule/'));
  const only = hasSender ? ids : [];
  const isMcp =
    only.length > 0 && only.every((id) => id.startsWith('mcp/')) && !given.some(([name]) => name === 'mcpUrl');
  const words = [
    isMcp ? ['mcp', '--url', target] : ['--base-url', target],
    ...only.map((id) => ['--only', id]),
    ...own.flatMap(([name, value]) => flagsFor(name as OptionName, value)),
  ];
  return `npx casa-conformance ${words.flat().map(quoted).join(' ')}`;
}

const isFlag = (name: string) => runTable.rows.some(([known, { help }]) => known === name && help !== noFlag);

function flagsFor(name: OptionName, value: unknown): string[][] {
  const row: Option = optionRows[name];
  const flag = `--${flagOf(name, row)}`;
  if (typeof value === 'boolean') return value ? [[flag]] : [];
  if (name === 'timeoutMs') return [[flag, String(Number(value) / 1000)]];
  if (row.kind === 'words') return [[`${flag}=${textsIn(value).join(',')}`]];
  if (row.kind === 'pairs') return Object.keys(value as object).map((header) => [flag, `${header}: VALUE`]);
  if (Array.isArray(value)) return textsIn(value).map((each) => [flag, each]);
  const { address } = (isObject(value) ? value : {}) as { address?: { limit: number; windowMs: number } };
  return [[flag, address === undefined ? String(value) : `${address.limit}/${address.windowMs / 1000}`]];
}

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const textsIn = (value: unknown) => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);
