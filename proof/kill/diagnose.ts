// How well causes name a defect, and which known defect is the nearest: each mutant is audited as its permissions
// allow, and diagnosed with the data of the others.
import { writeFileSync } from 'node:fs';
import { type Cause, causesOf } from '../../conformance/diagnosis/causes.ts';
import defects from '../../conformance/diagnosis/generated/defects.json' with { type: 'json' };
import { isSameFact, type KnownDefects, nearestOf, shapeOf } from '../../conformance/diagnosis/nearest.ts';
import type { Report } from '../../conformance/report/report.ts';
import { sharedMutant } from '../../fixtures/test-kit/shared-mutants.ts';
import { type MutantRow, runSuite, startIndependentTarget, type Target } from '../../fixtures/test-kit/targets.ts';
import { type Mutant, mutants } from '../../src/mutants/index.ts';
import { interval, table } from '../results.ts';
import { plainMutants, withoutPermissions } from './plain-audit.ts';

export interface Diagnosis {
  readonly mutant: Pick<MutantRow, 'name' | 'of' | 'breaks'>;
  readonly causes: readonly Pick<Cause, 'operation' | 'clauses' | 'checks' | 'consequences' | 'finding'>[];
}

/** As most people run it; a mutant that needs a permission gets all of them. */
const usual = { minutes: 2, seed: 1 } as const;
const plainNames = new Set(plainMutants().map(({ name }) => name));

export async function diagnose(row: MutantRow): Promise<Diagnosis> {
  const target = await row.start();
  return diagnosisOf(row, await runSuite(plainNames.has(row.name) ? asUsual(target) : target));
}

function asUsual(target: Target): Target {
  const { options, close } = withoutPermissions(target);
  return { options: { ...options, ...usual }, close };
}

export function diagnosisOf({ name, of, breaks }: Diagnosis['mutant'], report: Report): Diagnosis {
  const causes = causesOf(report).map(({ operation, clauses, checks, consequences, finding }) => {
    return { operation, clauses, checks, consequences, finding: { ...finding, proof: [], alike: [] } };
  });
  return { mutant: { name, of, breaks }, causes };
}

/** The data of `nearest`. Mutants that no run distinguishes share an entry. */
export function knownDefects(diagnoses: readonly Diagnosis[]): KnownDefects {
  const ids = new Set<string>();
  const byShape = new Map<string, Map<string, Set<string>>>();
  for (const { mutant, causes } of diagnoses) {
    const [first] = causes;
    if (first === undefined) continue;
    const checks = [...first.checks, ...first.consequences].sort();
    for (const id of checks) ids.add(id);
    const shape = byShape.get(shapeOf(first)) ?? new Map<string, Set<string>>();
    byShape.set(shapeOf(first), shape);
    shape.set(checks.join(), (shape.get(checks.join()) ?? new Set()).add(mutant.name));
  }
  const checks = [...ids].sort();
  const entries = [...byShape].sort(([one], [other]) => (one < other ? -1 : 1));
  const shapes = entries.map(([shape, groups]) => {
    const rows = [...groups].map(([key, names]): KnownDefects['shapes'][string][number] => {
      return [[...names].sort(), key.split(',').map((id) => checks.indexOf(id))];
    });
    return [shape, rows.sort()] as const;
  });
  const named = new Set(diagnoses.flatMap(({ mutant, causes }) => (causes.length === 0 ? [] : mutant.name)));
  const titles = mutants.flatMap(({ name, shows }) => (named.has(name) ? [[name, shows] as const] : []));
  return { titles: Object.fromEntries(titles), checks, shapes: Object.fromEntries(shapes) };
}

/** Returns the checks that the stored data of `nearest` has for a mutant. */
export function knownChecksOf(name: string): string[] {
  const { checks, shapes } = defects as unknown as KnownDefects;
  const rows = Object.values(shapes).flat();
  return rows.flatMap(([names, places]) => (names.includes(name) ? places.map((place) => checks[place] ?? '') : []));
}

const dataFile = new URL('../../conformance/diagnosis/generated/defects.json', import.meta.url);

/** Each shape has its own line, because a change should show as few lines. */
export function writeKnownDefects(diagnoses: readonly Diagnosis[]): void {
  const { shapes, titles, checks } = knownDefects(diagnoses);
  const lines = (fields: object) =>
    Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const text = [
    `{"checks":${JSON.stringify(checks)},`,
    `"titles":{\n${lines(titles).join(',\n')}\n},`,
    `"shapes":{\n${lines(shapes).join(',\n')}\n}}\n`,
  ];
  writeFileSync(dataFile, text.join('\n'));
}

type LeftOut = (one: Diagnosis['mutant'], other: Diagnosis['mutant']) => boolean;

/** The results that are removed from the known defects before a defect is named. */
const crossings: Readonly<Record<string, LeftOut>> = {
  'all results of this server': (one, other) => one.of === other.of,
  'the mutant itself': (one, other) => one.name === other.name,
  'all mutants of its clause': (one, other) => one.breaks === other.breaks,
};

/** How many defects `nearest` named, by result. */
interface Named {
  same: number;
  right: number;
  wrong: number;
  none: number;
}

function crossed(diagnoses: readonly Diagnosis[], isLeftOut: LeftOut): Named {
  const named: Named = { same: 0, right: 0, wrong: 0, none: 0 };
  const data = new Map<string, KnownDefects>();
  for (const { mutant, causes } of diagnoses) {
    const [first] = causes;
    if (first === undefined) continue;
    const key = JSON.stringify(
      diagnoses.map((each) => isLeftOut(mutant, each.mutant)).flatMap((out, at) => (out ? at : [])),
    );
    const known = data.get(key) ?? knownDefects(diagnoses.filter((each) => !isLeftOut(mutant, each.mutant)));
    data.set(key, known);
    const nearest = nearestOf(first, known);
    const other = diagnoses.find((each) => each.mutant.name === nearest?.id);
    if (nearest === null) named.none += 1;
    else if (nearest.id === mutant.name) named.same += 1;
    else if (other?.mutant.breaks === mutant.breaks && other.causes[0]?.operation === first.operation) named.right += 1;
    else named.wrong += 1;
  }
  return named;
}

/** Names of two defects that one run shows, with different clauses, spread over all of them. */
export function pairsOf(diagnoses: readonly Diagnosis[], amount: number): (readonly [string, string])[] {
  const isUsable = ({ mutant: { name, of }, causes }: Diagnosis) =>
    of === 'independent' && causes.length > 0 && plainNames.has(name);
  const own = diagnoses.filter(isUsable).map(({ mutant }) => mutant);
  const step = Math.max(1, Math.floor(own.length / amount));
  return own.flatMap((one, index) => {
    const other = own[(index * 7 + (own.length >> 1)) % own.length];
    const isPair = index % step === 0 && other !== undefined && !isSameFact(one.breaks, other.breaks);
    return isPair ? [[one.name, other.name] as const] : [];
  });
}

/** Both defects in one server. Returns whether two causes name them. */
export async function namesBoth(names: readonly [string, string]): Promise<boolean> {
  const [one, other] = names.map((name) => mutants.find((each) => each.name === name)) as [Mutant, Mutant];
  const causes = causesOf(await runSuite(asUsual(await startIndependentTarget(sharedMutant(one, other)))));
  const namers = ({ breaks }: Mutant) => causes.filter(({ clauses: [first = ''] }) => isSameFact(first, breaks));
  return namers(one).some((cause) => namers(other).some((each) => each !== cause));
}

const share = (hits: number, of: number) => `${((100 * hits) / of).toFixed(1)} %`;

/** The confusion matrix, as docs/explanation/diagnosis.md has it. */
export function printDiagnoses(
  diagnoses: readonly Diagnosis[],
  { pairs, both }: { readonly pairs: number; readonly both: number },
): string {
  const found = diagnoses.filter(({ causes }) => causes.length > 0);
  const first = ({ causes: [cause] }: Diagnosis) => cause?.clauses ?? [];
  const having = (test: (clause: string, breaks: string) => boolean) =>
    found.filter((each) => first(each).some((clause) => test(clause, each.mutant.breaks))).length;
  const names = [
    ['the clause, a part of it or the same fact', having(isSameFact)],
    ['the clause or a part of it', having((clause, breaks) => clause === breaks || clause.startsWith(`${breaks}.`))],
  ] as const;
  const causes = found.reduce((sum, each) => sum + each.causes.length, 0);
  const rows = Object.entries(crossings).map(([label, isLeftOut]) => {
    const { same, right, wrong, none } = crossed(found, isLeftOut);
    return [label, ...[same, right, wrong, none].map((hits) => `${hits} (${share(hits, found.length)})`)];
  });
  return [
    `The suite detected ${found.length} of ${diagnoses.length} defects (a mutant counts once for each implementation),` +
      ` with ${(causes / found.length).toFixed(2)} causes each on average.`,
    '',
    table(
      ['The first cause names', 'defects', '95 % interval'],
      names.map(([label, hits]) => [label, `${hits} (${share(hits, found.length)})`, interval(hits, found.length)]),
    ),
    table(['Removed first', 'same defect', 'same clause', 'another', 'none'], rows),
    `In ${both} of ${pairs} servers with two defects, the report named both (${share(both, pairs)}, 95 % interval ${interval(both, pairs)}).\n`,
  ].join('\n');
}
