// `conformance dispute REPORT`: a cause as Markdown, with everything that a maintainer of casa-kit needs to judge it.
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import { interpretations } from '../../src/contract/generated/interpretations.ts';
import { readNamed } from '../../src/terminal/file-trouble.ts';
import { type FlagTable, parseWords } from '../../src/terminal/flag-parser.ts';
import { describeExits, describeFlags } from '../../src/terminal/help.ts';
import { type FileKind, rejectUnwritable, writeOwn } from '../../src/terminal/own-file.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { clip, visible } from '../../src/terminal/visible.ts';
import { isObject } from '../exchange/exchange.ts';
import { makeRedact, type Redact } from '../report/redact.ts';
import type { ExitCode, StoredExchange } from '../report/report.ts';
import { runCommand } from '../reporters/commands.ts';
import { fenced } from '../reporters/markdown.ts';
import { keyRows } from '../scenarios/capabilities.ts';
import type { Io } from './io.ts';
import type { Env } from './options.ts';
import { readCause } from './replaying.ts';
import { type Fields, type ReportFile, readJsonReport, textsIn } from './report-file.ts';

const disputeFlags = {
  finding: { value: 'N', help: 'Number of the cause in the report, as replay prints it (default: 1)' },
  output: { value: 'FILE', help: 'File to write (default: dispute-N.md)' },
  help: { short: 'h', help: 'Show this help' },
} as const satisfies FlagTable;

const disputeHelpText = `conformance dispute: report a failure that you think is wrong

Usage
  conformance dispute REPORT [--finding N] [--output FILE]

REPORT is a JSON report of conformance (--report json=FILE). The command writes a Markdown file with
the clause, its interpretations, the requests and responses, and the command that repeats them. Keys,
e-mail addresses and phone numbers are removed. Add your reason at the end, read the file, and attach
it to an issue of casa-kit.

Flags
${describeFlags(disputeFlags)}
${describeExits({ 0: 'The file was written', 2: 'Invalid flag or file' })}`;

const disputeFile: FileKind = { name: 'dispute of this command', start: /^# Dispute of /, isPrivate: true };

const exchangesShownMax = 6;
const bodyCharactersMax = 4000;

export function disputing(args: readonly string[], environment: Env, io: Io): ExitCode {
  const { values, words } = parseWords(args, disputeFlags, { isStrict: true, takesWords: true });
  if (values.help) {
    io.out(disputeHelpText);
    return 0;
  }
  const [file, extra] = words;
  if (file === undefined || extra !== undefined)
    throw new UsageError('conformance dispute needs a report first: conformance dispute report.json');
  const number = readCause(values.finding ?? '1');
  const { output = `dispute-${number}.md` } = values;
  const report = readJsonReport(readNamed(file), file);
  const cause = report.causes[number - 1];
  if (cause === undefined) throw new UsageError(`${file} has no cause ${number}: it has ${report.causes.length}.`);
  rejectUnwritable('output', output, disputeFile);
  const keys = Object.values(keyRows).flatMap(({ variable }) => {
    const value = environment[variable];
    return value ? [{ value, placeholder: `$${variable}` }] : [];
  });
  writeOwn(output, disputeText(report, cause, makeRedact(keys)), disputeFile);
  io.out(`${visible(output)} contains cause ${number}. Add your reason at its end.\n`);
  return 0;
}

/** Text of a server is in fences only, and passes the redaction once more. */
function disputeText(report: ReportFile, cause: Fields, redact: Redact): string {
  const { target, options } = report;
  const ids = textsIn(cause.clauses).filter((id): id is ClauseId => Object.hasOwn(clauses, id));
  const checks = [...textsIn(cause.checks), ...textsIn(cause.consequences)];
  const known = checks.filter((id) => report.checks.some((check) => check.id === id));
  const control = isObject(cause.control) ? cause.control : null;
  const about = Object.entries(interpretations).filter(([, each]) => each.about.some((id) => ids.includes(id)));
  const shownText = (text: string) => fenced(redact(text), 'text');
  const shown = (id: unknown) => report.exchanges.filter((exchange) => exchange.id === id).map(exchangeText);
  const sections: readonly (readonly [title: string, blocks: readonly string[]])[] = [
    ['Cause', [shownText(String(cause.title)), `Checks: ${checks.map(nameIn).join(', ')}`]],
    ['Clauses', ids.map((id) => `- \`${id}\` (${clauses[id].basis}): ${clauses[id].fact}`)],
    ['Interpretations', about.map(([id, { text }]) => `- ${id}: ${text}`)],
    ['Findings of the checks', [shownText(findingsText(report, checks))]],
    ['Exchanges', textsIn(cause.exchanges).slice(0, exchangesShownMax).flatMap(shown).map(shownText)],
    [
      'Control request',
      control === null
        ? []
        : [`It differs in ${nameIn(String(control.differsIn))}.`, ...shown(control.exchange).map(shownText)],
    ],
    ['Run', [shownText(runText(report))]],
    ['Commands', [shownText([runCommand({ target, options }, known), ...textsIn(cause.repeat)].join('\n'))]],
    ['Reason', ['Why does the contract allow this behavior? Quote its sentence.']],
  ];
  const blocks = sections.flatMap(([title, lines]) => [`## ${title}`, ...(lines.length === 0 ? ['-'] : lines)]);
  return `${[`# Dispute of ${nameIn(String(cause.id))}`, ...blocks].join('\n\n')}\n`;
}

/** Ids have no special characters, but a report that was edited can contain any text. */
const nameIn = (text: string) => `\`${text.replace(/[^\w./-]/g, '?').slice(0, 200)}\``;

function findingsText({ checks }: ReportFile, ids: readonly string[]): string {
  const rows = checks.filter(({ id }) => ids.includes(String(id)));
  return rows
    .flatMap(({ id, findings }) =>
      (Array.isArray(findings) ? findings.filter(isObject) : []).map(
        ({ clause, pointer, expected, actual, exchange, message }) =>
          `${id}  ${clause}  ${exchange ?? ''} ${pointer}\n  expected ${expected}, actual ${actual}${message ? ` (${message})` : ''}`,
      ),
    )
    .join('\n');
}

function exchangeText({
  id,
  method,
  url,
  requestHeaders,
  requestBody,
  status,
  headers,
  ...rest
}: StoredExchange): string {
  const { bodyText, bodyShape, problem, problemDetail } = rest;
  const body = bodyText ?? (bodyShape === null ? '' : `Shape: ${JSON.stringify(bodyShape)}`);
  return [
    `${id}  ${method} ${url}`,
    ...Object.entries(requestHeaders).map(headerText),
    ...(requestBody.text === null ? [] : ['', clip(requestBody.text, bodyCharactersMax)]),
    '',
    problem === 'none' || status > 0 ? String(status) : `No response: ${problemDetail ?? problem}`,
    ...Object.entries(headers).map(headerText),
    ...(body === '' ? [] : ['', clip(body, bodyCharactersMax)]),
  ].join('\n');
}

/** A key that no report of ours contains is removed too. */
function headerText([name, value]: readonly [string, string]): string {
  const isSecret = /^(proxy-)?authorization$|cookie/.test(name) && !/\$\{?CONFORMANCE_/.test(value);
  return `${name}: ${isSecret ? '(removed)' : value}`;
}

function runText(report: ReportFile): string {
  const { tool, toolVersion, contractVersion, requirements, target, runId, startedAt, keys } = report;
  const set = isObject(requirements) ? `${requirements.set} ${requirements.digest}` : '';
  return [
    `${tool} ${toolVersion}, contract ${contractVersion}`,
    `Requirements: ${set}`,
    `Target: ${target}`,
    `Run: ${runId}, ${startedAt}`,
    `Keys: ${textsIn(keys).join(', ')}`,
    `Options: ${JSON.stringify(report.options ?? {})}`,
  ].join('\n');
}
