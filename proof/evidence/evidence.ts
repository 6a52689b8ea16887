// `npm run evidence`: one page of Markdown from the results in .tmp: verified, not verified and unknown. It runs none
// of the proofs.
import { existsSync, readFileSync } from 'node:fs';
import { checks } from '../../conformance/checks/index.ts';
import { whyUnprovable } from '../../conformance/report/coverage.ts';
import { rules } from '../../conformance/rules/index.ts';
import { allMutants } from '../../fixtures/test-kit/targets.ts';
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

/** Judges a stored result; a proof that was not run is unknown, and so is success in a part of it. */
function fromProof<Result>(
  { proofs }: Sources,
  name: ProofName,
  sentence: string,
  count: (result: Result) => { readonly failed: number; readonly of: number; readonly what: string },
): Claim {
  const stored = readResult<Result>(name, proofs);
  if (stored === null) return { sentence, state: 'unknown', detail: `not run: \`${commands[name]}\`` };
  const { failed, of, what } = count(stored.result);
  const origin = `\`${commands[name]}\`, ${stored.at.slice(0, 10)}, commit ${stored.commit ?? 'unknown'}`;
  const detail = `${failed} of ${of} ${what}; ${origin}`;
  if (failed === 0 && !stored.isWhole) return { sentence, state: 'unknown', detail: `only a part was run: ${detail}` };
  return claim(sentence, failed === 0, detail);
}

/** The contract's side: which clauses have a check and a mutant. */
function fromSources(): Claim[] {
  const checked = new Set<ClauseId>([...checks, ...rules].flatMap(({ cites }) => cites));
  const mutated = new Set<ClauseId>(mutants.map(({ breaks }) => breaks));
  const provable = (Object.keys(clauses) as ClauseId[]).filter((id) => whyUnprovable(id) === null);
  const due = provable.filter((id) => /stated|implied/.test(clauses[id].basis));
  const unchecked = provable.filter((id) => !checked.has(id));
  const unmutated = due.filter((id) => !mutated.has(id) && unbroken[id] === undefined);
  return [
    claim(
      'Each clause that a response could violate has a check.',
      unchecked.length === 0,
      `${unchecked.length} of ${provable.length} have none ${unchecked.join(', ')}`.trim(),
    ),
    claim(
      'Each stated or implied clause has a mutant, or the reason why it has none.',
      unmutated.length === 0,
      `${unmutated.length} of ${due.length} have neither ${unmutated.join(', ')}`.trim(),
    ),
  ];
}

function fromMatrix(sources: Sources): Claim[] {
  const total = allMutants().length;
  return [
    fromProof<Matrix>(
      sources,
      'kill',
      'A finding names the violated clause for each mutant, or the reason is listed.',
      ({ kills }) => {
        const missed = kills.filter((kill) => gradeOf(kill) !== 'right');
        const excused = (key: string) => excuses.unkillable[key] ?? excuses.otherReason[key];
        const failed = missed.filter(({ mutant }) => excused(keyOf(mutant)) === undefined).length;
        return { failed, of: kills.length, what: `mutants missed without a reason (${total} exist)` };
      },
    ),
    fromProof<Matrix>(sources, 'kill', 'The suite reports no failure on a server without a defect.', ({ clean }) => {
      const failed = clean.filter(({ failures }) => failures.length > 0).length;
      return { failed, of: clean.length, what: 'servers with a false failure' };
    }),
  ];
}

type Identified = { readonly values: readonly ValueRow[]; readonly variants: readonly VariantRow[] };

function fromIdentify(sources: Sources): Claim[] {
  return [
    fromProof<Identified>(
      sources,
      'identify',
      'calibrate detects each value of each unspecified behavior.',
      ({ values }) => {
        const failed = values.filter(({ result }) => result === 'missed').length;
        return { failed, of: values.length, what: 'values missed' };
      },
    ),
    fromProof<Identified>(
      sources,
      'identify',
      'A calibrated mock does not differ from its deployment.',
      ({ variants }) => {
        const failed = variants.filter(({ differs, failures }) => differs.length + failures.length > 0).length;
        return { failed, of: variants.length, what: 'calibrated mocks differ' };
      },
    ),
  ];
}

function fromOutside(sources: Sources): Claim[] {
  type Opinion = { readonly complaints: number; readonly unexplained: number };
  type Scenario = { readonly result: string };
  type Tried = { readonly parts: readonly { readonly result: string }[] };
  return [
    fromProof<readonly Opinion[]>(sources, 'oracles', 'Contract-testing tools find nothing unexplained.', (tools) => ({
      failed: tools.reduce((sum, { unexplained }) => sum + unexplained, 0),
      of: tools.reduce((sum, { complaints }) => sum + complaints, 0),
      what: 'complaints unexplained',
    })),
    fromProof<readonly Scenario[]>(sources, 'mcp', 'The official MCP tools accept the MCP endpoint.', (scenarios) => ({
      failed: scenarios.filter(({ result }) => result === 'fail').length,
      of: scenarios.length,
      what: 'questions failed',
    })),
    fromProof<readonly Tried[]>(sources, 'runtimes', 'The package works on each runtime in the README.', (tried) => {
      const parts = tried.flatMap((each) => each.parts);
      return {
        failed: parts.filter(({ result }) => result === 'FAILS').length,
        of: parts.length,
        what: 'trials fail',
      };
    }),
  ];
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
    ...fromMatrix(sources),
    ...fromIdentify(sources),
    ...fromOutside(sources),
    fromTests(sources, 'npm test', 'test.json'),
    fromTests(sources, 'npm run test:deep', 'test-deep.json'),
    fromTests(sources, 'npm run test:browser', 'test-browser.json'),
  ];
}

/** The page: a heading for each state, a line for each claim. */
export function evidencePage(claims: readonly Claim[]): string {
  const part = (title: string, state: Claim['state']) => {
    const lines = claims
      .filter((each) => each.state === state)
      .map(({ sentence, detail }) => `- ${sentence} (${detail})`);
    return [`## ${title}`, '', ...(lines.length > 0 ? lines : ['Nothing.']), ''];
  };
  return [
    '# Evidence',
    '',
    ...part('Proven', 'proven'),
    ...part('Not proven', 'not proven'),
    ...part('Unknown', 'unknown'),
  ].join('\n');
}

// Prints the page; exits with 1 where something is not proven.
if (process.argv[1]?.endsWith('evidence.ts')) {
  const claims = await gatherClaims(usualSources);
  process.stdout.write(evidencePage(claims));
  process.exitCode = claims.some(({ state }) => state === 'not proven') ? 1 : 0;
}
