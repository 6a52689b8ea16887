// How a mock knows each field of a response, as a table by path and as one line of a header.

import { grouped } from './words.ts';

/** `contract 2.article.id`, `learnt timestampForm (seen 64, 2026-11-24)` or `assumed R13 (records)`. */
export type Basis = `${BasisKind} ${string}`;

/** The three ways in which a mock can know a field. */
export type BasisKind = 'contract' | 'learnt' | 'assumed';

/** The basis of each field by its path; `*` is each item of a list. */
export type BasisTable = Readonly<Record<string, string>>;

/** Returns the basis of a field; `/*` has that of fields which the contract does not list. */
export function basisIn(table: BasisTable = {}, path: string): Basis {
  const inCall = path.startsWith('/data/calls/*/') ? table['/data/calls/*/*'] : undefined;
  const others = table[`${path.slice(0, path.lastIndexOf('/'))}/*`];
  return (table[path] ?? inCall ?? others ?? 'assumed R12 (extraFields)') as Basis;
}

/** Returns one line: each basis with its fields. */
export function describeBasis(table: BasisTable): string {
  // A clause for each field would be too long for a header.
  const nameOf = (path: string) => table[path]?.replace(/^contract.*/, 'contract');
  const groups = [...grouped(Object.keys(table), nameOf)];
  return groups.map(([basis, paths]) => `${basis}: ${paths.join(' ')}`).join('; ');
}

/** Reads such a line. A mark of an input, which has no paths, is left out. */
export function readBasis(line: string): BasisTable {
  const groups = line.split('; ').map((group) => /^((?:contract|learnt|assumed)[^:]*): (\/.*)$/.exec(group));
  return Object.fromEntries(
    groups.flatMap((group) => group?.[2]?.split(' ').map((path) => [path, group[1] ?? '']) ?? []),
  );
}

/** A call as the mock sends it by default. The contract shows no field of it, so each is assumed (assumption C34). */
export interface CallRecord extends Record<string, unknown> {
  readonly id: string;
  readonly status: 'in_progress' | 'settling' | 'final';
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  readonly agent: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly durationS: number | null;
  readonly outcome: string | null;
}
