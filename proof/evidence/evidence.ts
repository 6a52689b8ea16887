// `npm run evidence`: one page of Markdown from the results in .tmp: verified, not verified and unknown. It runs none
// of the proofs.
import { existsSync, readFileSync } from 'node:fs';
import { checks } from '../../conformance/checks/index.ts';
import { rules } from '../../conformance/checks/rules/index.ts';
import { whyUnprovable } from '../../conformance/report/coverage.ts';
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import { mutants } from '../../src/mutants/index.ts';
import type { ValueRow, VariantRow } from '../identify/identify.ts';
import { gradeOf } from '../kill/kill.ts';
import { excuses, keyOf, unbroken } from '../kill/kill-gate.ts';
import type { Matrix } from '../kill/kill-matrix.ts';
import { commands, type ProofName, readResult, resultsFolder } from '../results.ts';

export interface Claim {
  readonly sentence: string;
  readonly state: 'proven' | 'not proven' | 'unknown';
  readonly detail: string;
}

/** Folders with results; tests pass their own. */
export interface Sources {
  readonly proofs: string;
  /** Holds the JSON reports of vitest. */
  readonly tests: string;
}

const usualSources: Sources = { proofs: resultsFolder, tests: '.tmp' };

const claim = (sentence: string, isProven: boolean, detail: string): Claim => ({
  sentence,
  state: isProven ? 'proven' : 'not proven',
  detail,
});

/** The contract's side: which clauses have a check and a mutant. */
function fromSources(): Claim[] {
  const checked = new Set<ClauseId>([
    ...checks.flatMap((check) => check.clauses),
    ...rules.flatMap(({ cites }) => cites),
  ]);
  const mutated = new Set<ClauseId>(mutants.map(({ breaks }) => breaks));
  const provable = (Object.keys(clauses) as ClauseId[]).filter((id) => whyUnprovable(id) === null);
  const due = provable.filter((id) => /stated|implied/.test(clauses[id].basis));
  const unchecked = provable.filter((id) => !checked.has(id));
  const unmutated = due.filter((id) => !mutated.has(id) && unbroken[id] === undefined);
  const claimOf = (sentence: string, without: readonly ClauseId[], lack: string) =>
    claim(sentence, without.length === 0, `${without.length} of ${lack} ${without.join(', ')}`.trim());
  return [
    claimOf('Each clause that a response could violate has a check.', unchecked, `${provable.length} have none`),
    claimOf('Each stated or implied clause has a mutant, or a reason.', unmutated, `${due.length} have neither`),
  ];
}

type Identified = { readonly values: readonly ValueRow[]; readonly variants: readonly VariantRow[] };

/** A claim about a stored result. `failures` has one entry for each thing that could fail. */
interface Proof {
  readonly name: ProofName;
  readonly sentence: string;
  readonly what: string;
  // biome-ignore lint/suspicious/noExplicitAny: each proof has its own result
  failures(result: any): readonly boolean[];
}

const proofs: readonly Proof[] = [
  {
    name: 'kill',
    sentence: 'A finding names the violated clause for each mutant, or the reason is listed.',
    what: 'mutants missed without a reason',
    failures: ({ kills }: Matrix) =>
      kills.map((kill) => {
        const key = keyOf(kill.mutant);
        return gradeOf(kill) !== 'right' && (excuses.unkillable[key] ?? excuses.otherReason[key]) === undefined;
      }),
  },
  {
    name: 'kill',
    sentence: 'The suite reports no failure on a server without a defect.',
    what: 'servers with a false failure',
    failures: ({ clean }: Matrix) => clean.map(({ failures }) => failures.length > 0),
  },
  {
    name: 'identify',
    sentence: 'calibrate detects each value of each unspecified behavior.',
    what: 'values missed',
    failures: ({ values }: Identified) => values.map(({ result }) => result === 'missed'),
  },
  {
    name: 'identify',
    sentence: 'A calibrated mock does not differ from its deployment.',
    what: 'calibrated mocks differ',
    failures: ({ variants }: Identified) =>
      variants.map(({ differs, failures }) => differs.length + failures.length > 0),
  },
  {
    name: 'oracles',
    sentence: 'Contract-testing tools find nothing unexplained.',
    what: 'complaints unexplained',
    failures: (tools: readonly { complaints: number; unexplained: number }[]) =>
      tools.flatMap(({ complaints, unexplained }) => Array.from({ length: complaints }, (_, at) => at < unexplained)),
  },
  {
    name: 'mcp',
    sentence: 'The official MCP tools accept the MCP endpoint.',
    what: 'questions failed',
    failures: (scenarios: readonly { result: string }[]) => scenarios.map(({ result }) => result === 'fail'),
  },
  {
    name: 'runtimes',
    sentence: 'The package works on each runtime in the README.',
    what: 'trials fail',
    failures: (tried: readonly { parts: readonly { result: string }[] }[]) =>
      tried.flatMap(({ parts }) => parts.map(({ result }) => result === 'FAILS')),
  },
];

/** Judges a stored result; a proof that was not run is unknown, and so is success in a part of it. */
function fromProof(folder: string, { name, sentence, what, failures }: Proof): Claim {
  const stored = readResult(name, folder);
  if (stored === null) return { sentence, state: 'unknown', detail: `not run: \`${commands[name]}\`` };
  const all = failures(stored.result);
  const failed = all.filter(Boolean).length;
  const origin = `\`${commands[name]}\`, ${stored.at.slice(0, 10)}, commit ${stored.commit ?? 'unknown'}`;
  const detail = `${failed} of ${all.length} ${what}; ${origin}`;
  if (failed === 0 && !stored.isWhole) return { sentence, state: 'unknown', detail: `only a part was run: ${detail}` };
  return claim(sentence, failed === 0, detail);
}

function fromTests({ tests }: Sources, command: string, file: string): Claim {
  const sentence = `\`${command}\` passes.`;
  if (!existsSync(`${tests}/${file}`)) return { sentence, state: 'unknown', detail: `not run: \`${command}\`` };
  const { numPassedTests, numFailedTests, success } = JSON.parse(readFileSync(`${tests}/${file}`, 'utf8'));
  return claim(sentence, success && numFailedTests === 0, `${numPassedTests} passed, ${numFailedTests} failed`);
}

export async function gatherClaims(sources: Sources): Promise<Claim[]> {
  return [
    ...fromSources(),
    ...proofs.map((proof) => fromProof(sources.proofs, proof)),
    fromTests(sources, 'npm test', 'test.json'),
    fromTests(sources, 'npm run test:deep', 'test-deep.json'),
    fromTests(sources, 'npm run test:browser', 'test-browser.json'),
  ];
}

/** The page: a heading for each state, a line for each claim. */
export function evidencePage(claims: readonly Claim[]): string {
  const part = (title: string, state: Claim['state']) => {
    const own = claims.filter((each) => each.state === state);
    const lines = own.map(({ sentence, detail }) => `- ${sentence} (${detail})`);
    return [`## ${title}`, '', ...(lines.length > 0 ? lines : ['Nothing.']), ''];
  };
  const parts = [part('Proven', 'proven'), part('Not proven', 'not proven'), part('Unknown', 'unknown')];
  return ['# Evidence', '', ...parts.flat()].join('\n');
}

// Prints the page; exits with 1 where something is not proven.
if (process.argv[1]?.endsWith('evidence.ts')) {
  const claims = await gatherClaims(usualSources);
  process.stdout.write(evidencePage(claims));
  process.exitCode = claims.some(({ state }) => state === 'not proven') ? 1 : 0;
}
