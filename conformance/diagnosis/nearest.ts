// The known defect that a cause resembles: a mutant that violates the same clause of the same operation, with the same
// kind of invalid value at the same place, and that fails much the same checks.
import type { Finding } from '../judge/result.ts';
import defects from './generated/defects.json' with { type: 'json' };

/** `npx casa mock --mutant ID` shows the same. */
export interface Nearest {
  readonly id: string;
  readonly title: string;
  /** The share of checks that fail in both, of the checks that fail in one of them: 0 to 1. */
  readonly similarity: number;
}

/** `npm run mutants -- --diagnose --write` writes them. */
export interface KnownDefects {
  /** Titles of mutants by name. */
  readonly titles: Readonly<Record<string, string>>;
  readonly checks: readonly string[];
  /** By shape: the mutants with equal checks, and the indexes of these checks. */
  readonly shapes: Readonly<
    Record<string, readonly (readonly [names: readonly string[], checks: readonly number[]])[]>
  >;
}

const similarityMin = 0.6;
/** The next one must be this much less similar. */
const marginMin = 0.1;

interface Shaped {
  readonly operation: string | null;
  readonly finding: Pick<Finding, 'clause' | 'pointer' | 'actual'>;
}

/** Returns null where no known defect is clearly the nearest. */
export function nearestOf(
  cause: Shaped & { readonly checks: readonly string[]; readonly consequences: readonly string[] },
  { titles, checks, shapes }: KnownDefects = defects as unknown as KnownDefects,
): Nearest | null {
  const failing = new Set([...cause.checks, ...cause.consequences]);
  const best = new Map<string, number>();
  for (const [names, indexes] of shapes[shapeOf(cause)] ?? []) {
    const shared = indexes.filter((index) => failing.has(checks[index] ?? '')).length;
    const similarity = shared / (failing.size + indexes.length - shared);
    for (const name of names) best.set(name, Math.max(similarity, best.get(name) ?? 0));
  }
  const [first, second] = [...best].sort(([, one], [, other]) => other - one);
  if (first === undefined || first[1] < similarityMin || first[1] - (second?.[1] ?? 0) < marginMin) return null;
  return { id: first[0], title: titles[first[0]] ?? '', similarity: Math.round(100 * first[1]) / 100 };
}

/** `getInsights 4.connect.insights.range-default #status 400 invalid_input`. */
export function shapeOf({ operation, finding }: Shaped): string {
  return [operation ?? 'all', finding.clause, placeOf(finding), kindOf(finding)].join(' ').trim();
}

/** The items of a list, and the list as a whole, are one place. */
export const placeOf = ({ pointer }: Pick<Finding, 'pointer'>) =>
  pointer.replace(/\/\d+(?=\/|$)/g, '/*').replace(list, '');
const list = /^(\/data)?(\/(calls|reviews|accounts))?(\/\*)?$/;

/** The type of a value; of a status or a sentence, the words without their values. */
function kindOf({ actual }: Pick<Finding, 'actual'>): string {
  if (/^["{[]/.test(actual)) return actual[0] === '"' ? 'text' : actual[0] === '{' ? 'object' : 'list';
  if (/^-?\d+(\.\d+)?$/.test(actual)) return actual.includes('.') ? 'fraction' : 'number';
  return actual
    .replace(/"[^"]*"|\bx\d+\b|\d{4,}|[\da-f]{8}-[\da-f-]+/g, '')
    .slice(0, wordsMax)
    .trim();
}

const wordsMax = 40;
