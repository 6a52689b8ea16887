// The help of `conformance` and its commands. `--help` has the flags that most runs need, `--help all` has all of them.

import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import {
  type Interpretation,
  type InterpretationId,
  interpretations,
} from '../../src/contract/generated/interpretations.ts';
import type { FlagTable } from '../../src/terminal/flag-parser.ts';
import { describeExits, describeFlags, describeGroups, helpOn } from '../../src/terminal/help.ts';
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { clip } from '../../src/terminal/visible.ts';
import type { Judged } from '../judge/judge.ts';
import type { Level } from '../judge/result.ts';
import { whyUnprovable } from '../report/coverage.ts';
import { exitMeanings } from '../report/outcome.ts';
import type { ExitCode } from '../report/report.ts';
import { align } from '../reporters/terminal.ts';
import { type Capability, controlTokenVariable, flagGroups, keyRows, needs } from '../scenarios/capabilities.ts';
import { furtherMax } from '../scenarios/further.ts';
import { type Catalog, listOf, rangeText } from '../scenarios/plan/plan.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { flagTable, idleAtMcpEndpoint, type KitFlag } from './flags.ts';

/** Commands with the flags of a run; `diff` and `trend` have separate tables. */
type RunCommand = 'run' | 'mcp' | 'har' | 'calibrate';

interface CommandHelp {
  readonly head: string;
  /** Its documentation. */
  readonly page: string;
  /** The flags of the first page in their order. All that are not rare, in groups, when absent. */
  readonly main?: readonly string[];
  takes(name: string, flag: KitFlag): boolean;
  readonly exits?: Readonly<Partial<Record<ExitCode, string>>>;
  /** Texts that differ in this command. */
  readonly helpOf?: Readonly<Record<string, Pick<KitFlag, 'help'>>>;
}

const key = keyRows.good.variable;

const helps: Readonly<Record<RunCommand, CommandHelp>> = {
  run: {
    head: `conformance: test a deployment of the Content and Social Account service API

Usage
  conformance --base-url URL [flags]
  conformance <command> [flags]

Commands
  (none)     Test a deployment
  mcp        Test only an MCP endpoint
  har        Test recorded traffic
  calibrate  Save the behavior of a deployment as a profile for casa mock
  diff       Compare two deployments
  replay     Test whether the failures of a report are fixed
  verify     Check that a report matches its recording and was not edited
  dispute    Report a failure that you think is wrong
  trend      Show the results of earlier runs

Examples
  conformance --target self --control self                   Test the bundled mock
  conformance --base-url https://staging.example.com/api/v1  Test a deployment
  conformance --base-url URL --plan                          Show what a run would send

The API key comes from ${key}. A run sends reads and invalid requests. It creates data
only with --allow-writes. A longer run finds more defects: --plan --minutes N estimates how many.
By default, a run plans at most 120 requests. --watch, --pace off and --control remove this maximum,
unless you set --minutes.`,
    page: 'docs/conformance.md',
    takes: (name) => name !== 'url' && name !== 'check',
  },
  mcp: {
    head: `conformance mcp: test only an MCP endpoint

Usage
  conformance mcp --url URL [flags]
  conformance mcp --target NAME [flags]    Test the mcpUrl of a target in the config file

The API key comes from ${key}. A run sends reads and invalid calls to the MCP endpoint.
It creates data only with --allow-writes.`,
    page: 'docs/conformance.md',
    main: ['url', 'target', 'only', 'skip', 'gentle', 'allow-writes', 'pace', 'report', 'claims', 'plan', 'help'],
    takes: (name) => !idleAtMcpEndpoint.some((idle) => idle === name),
  },
  har: {
    head: `conformance har: test recorded traffic

Usage
  conformance har FILE [flags]

FILE is an HTTP Archive (HAR) of a browser, a proxy or an end-to-end test, or a .zip of Playwright.
Responses below /api/v1 are tested one by one, and compared with each other. No request is sent.
Preflights, cached and aborted responses, and redirects that the browser made up are left out. A body
that is missing or cannot be read is counted and never a failure. If FILE has several services,
choose one with --base-url.`,
    page: 'docs/conformance.md',
    main: ['base-url', 'only', 'skip', 'report', 'claims', 'fail-on', 'profile', 'help'],
    takes: (_, { isForHar }) => isForHar === true,
    helpOf: { 'base-url': { help: 'Base URL of the API in the recording, including /api/v1' } },
    exits: {
      0: exitMeanings[0],
      1: exitMeanings[1],
      2: 'Invalid flag or file',
      3: 'Nothing (or less than --min-verified) was verified',
    },
  },
  calibrate: {
    head: `conformance calibrate: save the behavior of a deployment as a profile for casa mock

Usage
  conformance calibrate --base-url URL --profile FILE    Save the profile
  conformance calibrate --base-url URL --check FILE      Compare the deployment with a saved profile

The API key comes from ${key}. A run sends reads and invalid requests, then at most
${furtherMax} more requests. Without --profile and --check, it prints the profile.`,
    page: 'docs/calibrate.md',
    main: ['base-url', 'target', 'profile', 'check', 'pace', 'plan', 'help'],
    takes: (name, { group }) =>
      ['Deployment', 'API keys', 'TLS', 'Checks to run', 'Timing'].includes(group ?? '') &&
      !['url', 'mcp-url', 'watch'].includes(name),
    exits: {
      ...exitMeanings,
      0: 'The profile was saved. With --check: no behavior changed',
      1: 'With --check: a behavior changed, or a clause is violated that the profile does not list',
      3: 'The organization is empty or unpaid, rate limits rejected the requests, or too little was compared',
    },
  },
};

const environment: Readonly<Record<string, string>> = {
  [Object.values(keyRows)
    .map(({ variable }) => variable)
    .join(', ')]: 'API keys',
  [controlTokenVariable]: 'Admin token of the mock at --control',
  'HTTP_PROXY, HTTPS_PROXY, NO_PROXY': 'Proxy settings',
  'NO_COLOR, FORCE_COLOR': 'Turn colors off or on',
  'GITHUB_ACTIONS=true': 'Print failures as annotations too',
};

const files = `Files
  conformance.config.json
      Named targets: { "targets": { "staging": { "baseUrl": URL, "keys": { "good": VARIABLE } } } }
      Write flags in camel case: --min-verified is minVerified. Keys use the field keys.
      \${NAME} is an environment variable. The file can also be .js, .mjs or .ts.
  casa-kit/traffic in your cache directory
      Times of the requests of the last minute, so the next run stays below the rate limits.
      You can delete it.
`;

/** Returns the help of a command. Throws a `UsageError` for an unknown topic. */
export function commandHelpText(command: RunCommand, topic: string | true): string {
  const { head, page, main, takes, exits = exitMeanings, helpOf } = helps[command];
  const own = Object.entries(flagTable)
    .filter(([name, flag]) => main?.includes(name) || takes(name, flag))
    .map(([name, flag]) => [name, { ...flag, ...helpOf?.[name] }]);
  const table: FlagTable = Object.fromEntries(own);
  const tail = describeExits(exits);
  const more = `\nDocumentation: ${page}. All flags: conformance ${command === 'run' ? '' : `${command} `}--help all\n`;
  const first = () =>
    main === undefined
      ? describeGroups(table, flagGroups, false)
      : `Flags\n${describeFlags(Object.fromEntries(main.map((name) => [name, { ...(flagTable[name] as KitFlag), ...helpOf?.[name] }])))}\n`;
  const all = () => {
    const width = Math.max(...Object.keys(environment).map(({ length }) => length));
    const rows = Object.entries(environment).map(([name, help]) => `  ${name.padEnd(width)}  ${help}\n`);
    const rest = command === 'run' ? `\nEnvironment\n${rows.join('')}\n${files}` : '';
    return `${head}\n\n${describeGroups(table, flagGroups)}${tail}${rest}`;
  };
  return helpOn(topic, { '': () => `${head}\n\n${first()}${tail}${more}`, all });
}

// The texts of --list and --explain.

const interpretationIds = Object.keys(interpretations) as InterpretationId[];

const levelWords: Readonly<Record<Level, string>> = { must: 'fails', should: 'warns', observe: 'is noted' };

/** `columns` is the width of a terminal, null where lines may be as long as they like. */
export function listText(catalog: Catalog, columns: number | null): string {
  const { checks, rules } = catalog;
  const all = checks.map((check) => ({ check, own: scenariosOf(check, catalog) }));
  const rows = [
    ['id', 'level', 'requests', 'needs', 'title'],
    ...all.map(({ check: { id, level = 'must', title }, own }) => [id, level, requestsOf(own), needsText(own), title]),
    ...rules.map((rule) => [rule.id, rule.level, '0', '-', rule.title]),
  ];
  const named = [...new Set(all.flatMap(({ own }) => needsOf(own)))];
  const legend = [
    '',
    'levels    the result of a failed check',
    ...align(Object.entries(levelWords)).map((line) => `  ${line}`),
    'requests  minimum to maximum of the scenarios that this check judges; others can judge them too',
    'needs     the flag that enables a check',
    ...align(named.map((need) => [need, needs[need].flag])).map((line) => `  ${line}`),
  ];
  const lines = align(rows).map((line) => (columns === null ? line : clip(line, columns - 1)));
  return `${[...lines, ...legend].join('\n')}\n`;
}

function scenariosOf({ scenarios: ids = [] }: Judged, { scenarios }: Pick<Catalog, 'scenarios'>): Scenario[] {
  return scenarios.filter(({ id }) => ids.includes(id));
}

/** Returns the needs that all scenarios share. */
function needsOf(scenarios: readonly Scenario[]): readonly Capability[] {
  const [first, ...others] = scenarios.map(({ needs: own = [] }) => own);
  return (first ?? []).filter((need) => others.every((own) => own.includes(need)));
}

function needsText(scenarios: readonly Scenario[]): string {
  return needsOf(scenarios).join(' ') || '-';
}

/** Fewest to most, or one number where they are the same. */
function requestsOf(scenarios: readonly Scenario[]): string {
  const sum = (of: 'least' | 'most') => scenarios.reduce((total, { cost }) => total + cost[of], 0);
  return rangeText({ floor: sum('least'), ceiling: sum('most') });
}

/** Takes ids of checks, rules, clauses and interpretations. Throws a UsageError with a guess for anything else. */
export function explainText(id: string, catalog: Catalog): string {
  const { rules } = catalog;
  const checks = catalog.checks.map(({ level = 'must', clauses: cites, ...rest }) => ({ ...rest, level, cites }));
  const check = checks.find((candidate) => candidate.id === id);
  const row = check ?? rules.find((candidate) => candidate.id === id);
  if (!row) {
    const about = explainInterpretation(id, catalog) ?? explainClause(id, catalog);
    if (about !== null) return about;
    const known = [...checks, ...rules].map((candidate) => candidate.id).concat(Object.keys(clauses));
    const hint =
      didYouMean(id, known) ||
      ` --list names the checks; interpretations are ${interpretationIds[0]} to ${interpretationIds.at(-1)}.`;
    throw new UsageError(`No check, clause or interpretation is called "${id}".${hint}`);
  }
  const lines = [
    `${row.id} (${row.level})`,
    `  ${row.title}.`,
    ...(check
      ? detailsOf(scenariosOf({ ...check, clauses: check.cites }, catalog))
      : ['  It checks every exchange of a run, and sends nothing itself.']),
    '',
    'The contract',
    ...row.cites.flatMap(quote),
    ...interpretationLines(row.cites),
  ];
  return `${lines.join('\n')}\n`;
}

/** `R19`: the ambiguity of the contract, and the checks that use it. */
function explainInterpretation(id: string, catalog: Catalog): string | null {
  const name = interpretationIds.find((known) => known === id.toUpperCase());
  if (name === undefined) return null;
  const { text, about }: Interpretation = interpretations[name];
  const lines = [`${name}  ${text}`, '', 'Related clauses', ...about.flatMap(quote)];
  return `${[...lines, ...citing(about, catalog)].join('\n')}\n`;
}

function explainClause(id: string, catalog: Catalog): string | null {
  if (!Object.hasOwn(clauses, id)) return null;
  const clause = id as ClauseId;
  const unprovable = whyUnprovable(clause);
  const open = unprovable === null ? [] : [`    No response can violate it: ${unprovable}.`];
  const lines = [...quote(clause), ...open, ...interpretationLines([clause])].map((line) => line.replace(/^ {2}/, ''));
  return `${[...lines, ...citing([clause], catalog)].join('\n')}\n`;
}

/** Where a change of the clause would be felt. */
function citing(cited: readonly ClauseId[], { checks, rules }: Catalog): string[] {
  const all = [...checks.map((check) => ({ ...check, cites: check.clauses })), ...rules];
  const found = all.filter(({ cites }) => cites.some((clause) => cited.includes(clause)));
  const rows = align(found.map(({ id, title }) => [id, title]));
  return ['', 'Checks and rules that test it', ...(rows.length === 0 ? ['  none'] : rows.map((row) => `  ${row}`))];
}

/** Returns the requests of a check, as sentences. */
function detailsOf(scenarios: readonly Scenario[]): string[] {
  if (scenarios.length === 0) return ['  It judges what other checks have asked, and sends nothing itself.'];
  return scenarios.map((scenario) => {
    const { id, cost, needs: own = [], changes } = scenario;
    const parts = [
      `requests: ${requestsOf([scenario])}`,
      ...(cost.seconds === undefined ? [] : [`waits up to ${cost.seconds} s`]),
      ...(own.length === 0 ? [] : [`needs ${listOf(own.map((need) => needs[need].flag))}`]),
      ...(changes === undefined ? [] : [`leaves ${changes}`]),
    ];
    return `  Judges ${id}: ${parts.join(', ')}.`;
  });
}

/** The fact with its basis, since only stated and implied ones can fail. */
function quote(id: ClauseId): string[] {
  const { fact, basis, at } = clauses[id];
  return [`  ${id} (${basis}; ${at})`, `    ${fact}`];
}

/** Why the kit may be milder than the sentence. */
function interpretationLines(cites: readonly ClauseId[]): string[] {
  const isAbout = ({ about }: Interpretation) => about.some((clause) => cites.includes(clause));
  const names = interpretationIds.filter((name) => isAbout(interpretations[name]));
  if (names.length === 0) return [];
  return ['', 'Interpretations', ...names.map((name) => `  ${name}  ${interpretations[name].text}`)];
}
