// Markdown for job summaries and pull requests. A summary has at most one megabyte, so long lists of findings are cut.
import { count } from '../../src/terminal/count.ts';
import { clip, visible, visibleLines } from '../../src/terminal/visible.ts';
import type { CheckResult } from '../judge/result.ts';
import { claimNotes } from '../report/claims.ts';
import { isInSection, reachOf, sections } from '../report/coverage.ts';
import { newsOf } from '../report/history.ts';
import { impacts } from '../report/impact.ts';
import type { Outcome, Reporter } from '../report/outcome.ts';
import { type Report, titleOf } from '../report/report.ts';
import {
  checksWith,
  countsIn,
  type Failure,
  failuresIn,
  inconclusiveByGroup,
  type Quoted,
  quoteFindings,
  resultWords,
} from './quoted.ts';
import { type Fact, type Mood, type Summary, summaryOf } from './summary.ts';

const checksShownMax = 50;
const findingsShownMax = 5;
const findingCharactersMax = 1500;
const curlCharactersMax = 4000;
const factCharactersMax = 4000;

/** The summary comes first, because readers of a pull request stop early. */
export const markdown: Reporter = {
  kind: 'md',
  start: /^# (✅|❌|❔) (Conformance of |<code>)/,
  render(report, outcome) {
    const summary = summaryOf(report, outcome);
    const blocks = [
      `# ${emoji[summary.mood]} ${report.compared ? code(titleOf(report)) : `Conformance of ${code(report.target)}`}: ${summary.share}`,
      factList(summary.subject),
      `**${plain(summary.verdict)}** Exit code ${outcome.exitCode}.`,
      counts(report),
      ...overview(summary),
      ...trendBlock(outcome),
      ...findingBlocks(report, outcome),
      ...claimLines(outcome),
      ...doubtBlock(report),
      ...coverageBlock(report),
      ...(summary.method.length === 0 ? [] : ['## Method and limits', factList(summary.method)]),
    ];
    return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
  },
};

const emoji: Readonly<Record<Mood, string>> = { good: '✅', bad: '❌', open: '❔' };

function factList(facts: readonly Fact[]): string {
  return facts.map(({ name, text }) => `- ${plain(name)}: ${plain(text, factCharactersMax)}`).join('\n');
}

function overview({ impacts: felt, areas, next }: Summary): string[] {
  const causes = felt.map(
    ({ impact: kind, causes }) =>
      `- **${impacts[kind][0]}**: ${impacts[kind][1]} Found by ${causes.map(({ check }) => code(check.id)).join(', ')}.`,
  );
  const gaps = areas.map(({ name, question, how }) => row([name, question, plain(how)]));
  return [
    ...(causes.length === 0 ? [] : ['## Impact on users of the API', causes.join('\n')]),
    ...(gaps.length === 0 ? [] : ['## Not tested', table(['area', 'open question', 'to test it'], gaps)]),
    ...(next.length === 0 ? [] : ['## Next steps', next.map((step, at) => `${at + 1}. ${plain(step)}`).join('\n')]),
  ];
}

function counts(report: Report): string {
  const rows = countsIn(report).map(([kind, number]) =>
    row([...resultWords[kind].slice(0, 1), `${number}`, resultWords[kind][1]]),
  );
  return rows.length === 0 ? '' : table(['result', 'checks', 'meaning'], rows);
}

function coverageBlock({ coverage }: Report): string[] {
  const rows = sections.flatMap((section) => {
    const own = coverage.filter(({ clause }) => isInSection(clause, section));
    const { visible, verified, violated, warned, undecided, untested } = reachOf({ coverage: own });
    const numbers = [verified, violated, warned, undecided, untested - undecided];
    return visible === 0 ? [] : [row([`${section.number} ${section.title}`, ...numbers.map(String)])];
  });
  const words = ['verified', 'failed', 'warned', 'not decided', 'not tested'];
  return reachOf({ coverage }).tested === 0 ? [] : ['## Coverage', table(['section of the contract', ...words], rows)];
}

/** All three kinds require a change. */
function claimLines({ claims }: Outcome): string[] {
  const rows = claimNotes(claims).map(({ about, sentence }) => `- ${code(about)} ${plain(sentence)}`);
  return rows.length === 0 ? [] : ['## Claims', rows.join('\n')];
}

function trendBlock({ trend }: Outcome): string[] {
  if (trend === undefined) return [];
  return [
    '## Since the last run',
    newsOf(trend)
      .slice(0, checksShownMax)
      .map((line) => `- ${plain(line)}`)
      .join('\n'),
  ];
}

function findingBlocks(report: Report, outcome: Outcome): string[] {
  const failures = failuresIn(report, outcome);
  const failed = [...failures.map(({ check }) => check), ...checksWith(report, 'error')];
  const known = new Map(failures.map((failure) => [failure.check, failure]));
  const blocksOf = (check: CheckResult) => checkBlocks(check, report, known.get(check));
  return [
    ...titled(report.compared ? 'Differences' : 'Causes', failed, blocksOf),
    ...titled('Warnings', checksWith(report, 'warn'), (check) => checkBlocks(check, report)),
  ];
}

function titled(title: string, checks: readonly CheckResult[], blocksOf: (check: CheckResult) => string[]): string[] {
  if (checks.length === 0) return [];
  const more = checks.length - checksShownMax;
  return [
    `## ${title}`,
    ...checks.slice(0, checksShownMax).flatMap(blocksOf),
    ...(more > 0 ? [`And ${count(more, 'check')} more.`] : []),
  ];
}

type Explained = Pick<Failure, 'proof' | 'repeat' | 'facts'>;

const unexplained: Explained = { proof: [], repeat: [], facts: [] };

export function checkBlocks(check: CheckResult, report: Report, { proof, repeat, facts } = unexplained): string[] {
  const grave = quoteFindings(check, report).filter(({ finding }) => finding.severity !== 'note');
  const more = grave.length - findingsShownMax;
  return [
    `### ${codeSpan(check.id)} ${sentence(check.title)}`,
    ...(check.result.message === undefined ? [] : [codeSpan(check.result.message)]),
    ...grave.slice(0, findingsShownMax).map(findingBlock),
    ...(more > 0 ? [`And ${count(more, 'finding')} more.`] : []),
    ...(proof.length === 0 ? [] : ['Proof:', proof.map(witness).join('\n')]),
    ...(repeat.length === 0
      ? []
      : ['Repeat:', fenced(repeat.map((command) => clip(visible(command), curlCharactersMax)).join('\n'), 'sh')]),
    ...facts.map((fact) => codeSpan(fact, findingCharactersMax)),
  ];
}

function witness({ exchange, text }: Failure['proof'][number]): string {
  return `- ${exchange}: ${codeSpan(text, findingCharactersMax)}`;
}

function findingBlock({ finding, text, sentence: fact, curl }: Quoted): string {
  const lines = [codeSpan(text, findingCharactersMax), '', `> ${codeSpan(finding.clause)} ${sentence(fact)}`];
  if (curl === null) return lines.join('\n');
  const repeat = fenced(clip(visible(curl), curlCharactersMax), 'sh');
  return [...lines, '', '<details><summary>Reproduce</summary>', '', repeat, '', '</details>'].join('\n');
}

function doubtBlock(report: Report): string[] {
  const groups = inconclusiveByGroup(report);
  if (groups.size === 0) return [];
  const rows = [...groups].flatMap(([group, checks]) =>
    checks.map(({ id, result }) => row([code(id), plain(group), plain(result.message ?? '')])),
  );
  return ['## Not decided', table(['check', 'reason', 'details'], rows)];
}

function table(head: readonly string[], rows: readonly string[]): string {
  return [row(head), row(head.map(() => '---')), ...rows].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** An HTML element, because a code span does not protect a table cell. */
function code(text: string): string {
  return `<code>${plain(text)}</code>`;
}

// Text in Markdown. That of a target is code, in which nothing is markup, and which a person can read and copy.

const textCharactersMax = 400;

/** One line as code. Its fence is longer than any run of backticks in the text. */
export function codeSpan(text: string, charactersMax = textCharactersMax): string {
  const shown = inert(clip(visible(text), charactersMax));
  const fence = fenceOf(shown, 1);
  const space = /^`|`$/.test(shown) || shown.trim() === '' ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}

/** Lines of code. */
export function fenced(text: string, language: 'sh' | 'text'): string {
  const shown = inert(visibleLines(text));
  const fence = fenceOf(shown, 3);
  return `${fence}${language}\n${shown}\n${fence}`;
}

function fenceOf(text: string, lengthMin: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(lengthMin, longest + 1));
}

/** A viewer can ignore a fence, so no code contains a tag. JSON with this escape is the same JSON. */
function inert(text: string): string {
  return text.replace(/<(?=[a-z!/?])(?!(?:email|phone|name|key \d+)>)/gi, '\\u003c');
}

/** Our own sentence, with its code in backticks. */
export function sentence(text: string): string {
  return text.split('`').reduce((all, part, index) => all + (index % 2 === 1 ? `\`${part}\`` : entities(part)), '');
}

/** For table cells, which a code span does not protect. */
export function plain(text: string, charactersMax = textCharactersMax): string {
  return entities(clip(visible(text), charactersMax));
}

/** What Markdown, HTML, links, mentions and emoji are made of. Everything else stays readable in the source. */
const markup = /[&<>`*~|\\[#@]|\](?=\()|(?<![a-z\d])_|_(?![a-z\d])|:(?=\/\/|:|[\w+-]+:)/gi;

function entities(text: string): string {
  return text.replace(markup, (mark) => `&#${mark.charCodeAt(0)};`);
}
