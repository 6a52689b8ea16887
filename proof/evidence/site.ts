// The files of the site: pages, and a feed of JSON for each figure on them.
import { killPage } from '../kill/kill-page.ts';
import { excuses } from '../kill/unkillable.ts';
import { clausesPage } from './clauses-page.ts';
import { criteria, criteriaHistory, criteriaVersion } from './criteria.ts';
import type { Evidence } from './evidence.ts';
import { identifyPage } from './identify-page.ts';
import { overviewPage } from './overview.ts';
import type { Place } from './page.ts';
import { commands, type ProofName } from './proofs.ts';

/** By name; they need no server. */
export function siteOf(place: Place): ReadonlyMap<string, string> {
  const { evidence } = place;
  const { kill } = evidence.proofs;
  const feeds = feedsOf(evidence);
  const index = [...feeds].map(([name, { about, command }]) => ({ name, about, command }));
  const { version, contractVersion, madeAt, commit } = evidence;
  return new Map([
    ['index.html', overviewPage(evidence)],
    ['clauses.html', clausesPage(place)],
    ['identify.html', identifyPage(evidence)],
    ...(kill === null ? [] : ([['kill.html', killPage(kill.result, kill.result.gate, excuses)]] as const)),
    ...[...feeds].map(([name, { data }]): [string, string] => [name, json(data)]),
    ['feeds.json', json({ kit: version, contract: contractVersion, madeAt, commit, criteriaVersion, feeds: index })],
  ]);
}

/** Data of one part of the site, and the command that makes it again. */
interface Feed {
  readonly about: string;
  readonly command: string;
  readonly data: unknown;
}

const abouts: Readonly<Record<ProofName, string>> = {
  kill: 'mutants by checks',
  identify: 'readings by values, and the twins',
  oracles: 'contract-testing tools from outside',
  mcp: 'the MCP door before the official tools',
  runtimes: 'parts of the package by runtimes',
  bench: 'speed beside other servers',
};

/** A proof that was not run has a feed that says so. */
function feedsOf(evidence: Evidence): Map<string, Feed> {
  const { clauses, mutants, proofs, tests } = evidence;
  const judged = criteria.map(({ id, sentence, judge }) => ({ id, sentence, ...judge(evidence) }));
  const silent = tests.map((run) =>
    run.at === null ? { command: run.command, runs: null } : { command: run.command, runs: run.silent },
  );
  const rows: [string, Feed][] = [
    [
      'criteria.json',
      {
        about: 'what has to hold',
        command: 'npm run evidence',
        data: { version: criteriaVersion, history: criteriaHistory, criteria: judged },
      },
    ],
    [
      'clauses.json',
      { about: 'each clause with its traces', command: 'npm run where -- CLAUSE', data: { clauses, mutants } },
    ],
    [
      'silence.json',
      {
        about: 'runs on servers without a fault',
        command: 'npm run test:deep',
        data: { tests: silent, matrix: proofs.kill?.result.clean ?? null },
      },
    ],
    ['tests.json', { about: 'runs of the test runner', command: 'npm test', data: tests }],
  ];
  const kept = (Object.keys(abouts) as ProofName[]).map((name): [string, Feed] => {
    const data = proofs[name] ?? { proof: name, command: commands[name], at: null, result: null };
    return [`${name}.json`, { about: abouts[name], command: commands[name], data }];
  });
  return new Map([...rows, ...kept]);
}

function json(data: unknown): string {
  return `${JSON.stringify(data, null, 1)}\n`;
}
