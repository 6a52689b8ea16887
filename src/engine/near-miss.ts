// For a request that met no operation: which ones it may have meant, the likeliest first.
import { type Operation, operations } from '../contract/generated/operations.ts';
import { basePath } from '../http/route.ts';

/**
 * One suggestion, as the request log and the dashboard show it. It never reaches the client: its 404 is the contract's.
 */
export interface NearMiss {
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  /** In one sentence, how the request differs. */
  readonly why: string;
}

const nearMissesMax = 3;
// A path may be sixteen thousand characters long. No operation is like one that is longer than this, and comparing all
// of it would stop the mock for seconds.
const lengthCompared = 400;
const segmentsCompared = 8;
const wordCompared = 24;

/** At most three. A match needs half of the segments at least, so a stranger's path gets no absurd advice. */
export function findNearMisses(method: string, path: string): NearMiss[] {
  const hasBase = path === basePath || path.startsWith(`${basePath}/`);
  const below = (hasBase ? path.slice(basePath.length) : path).slice(0, lengthCompared);
  const segments = below
    .split('/')
    .filter((segment) => segment !== '')
    .slice(0, segmentsCompared);
  const compare = createWordComparison();
  return Object.values(operations)
    .map((operation) => ({ operation, distance: pathDistance(operation.segments, segments, compare) }))
    .filter(({ operation, distance }) => distance <= 0.5 || distance < operation.segments.length / 2)
    .sort((a, b) => rank(a, method) - rank(b, method))
    .slice(0, nearMissesMax)
    .map(({ operation, distance }) => ({
      method: operation.method,
      path: `${basePath}${operation.path}`,
      operation: operation.id,
      why: explain(operation, { method, path, distance, hasBase }),
    }));
}

/** Another method counts less than a misspelt segment. */
function rank({ operation, distance }: { operation: Operation; distance: number }, method: string): number {
  return distance + (operation.method === method ? 0 : 0.4);
}

/** Everything that differs, in one sentence; the order is that in which one would mend it. */
function explain(
  operation: Operation,
  { method, path, distance, hasBase }: { method: string; path: string; distance: number; hasBase: boolean },
): string {
  const faults: string[] = [];
  if (!hasBase) faults.push(`the path has to start with ${basePath}`);
  if (distance > 0) faults.push('the path is spelt differently');
  if (operation.method !== method) faults.push(`the method is ${operation.method}, not ${method}`);
  if (faults.length === 0) faults.push(explainSpelling(path));
  return `${upperFirst(faults.join(', and '))}.`;
}

// The right words in the right places, and yet no match.
function explainSpelling(path: string): string {
  if (/\/$/.test(path)) return 'the path ends with an extra slash';
  if (path.includes('//')) return 'a path value is empty';
  return /%(?![0-9a-f]{2})/i.test(path) ? 'a path value is badly percent-encoded' : 'paths are written in lower case';
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The cheapest way from one list of segments to the other: one step for each missing or extra one, less for a typo. */
function pathDistance(template: readonly string[], segments: readonly string[], compare: CompareWords): number {
  return align(template.length, segments.length, (i, j) => {
    const expected = template[i] as string;
    const actual = (segments[j] as string).toLowerCase();
    if (expected.startsWith('{')) return isWord(actual) ? 0.5 : 0;
    return compare(expected, actual);
  });
}

// A path value looks like an id; a plain word in its place is more likely another segment.
function isWord(segment: string): boolean {
  return /^[a-z]+$/.test(segment);
}

/** From 0 for equal to 1 for unrelated. */
type CompareWords = (expected: string, actual: string) => number;

// Most operations share their words, so each pair is compared once.
function createWordComparison(): CompareWords {
  const known = new Map<string, number>();
  return (expected, actual) => {
    const pair = `${expected}/${actual}`;
    const distance = known.get(pair) ?? wordDistance(expected, actual);
    known.set(pair, distance);
    return distance;
  };
}

/** From 0 for the same word to 1 for one that is as good as another. */
function wordDistance(expected: string, actual: string): number {
  if (expected === actual) return 0;
  const whole = Math.max(2, expected.length / 2);
  // As many characters at least have to be added or left out.
  if (Math.abs(expected.length - actual.length) >= whole) return 1;
  const word = actual.slice(0, wordCompared);
  const edits = align(expected.length, word.length, (i, j) => (expected[i] === word[j] ? 0 : 1));
  return Math.min(1, edits / whole);
}

/** Edit distance, row by row: skipping costs 1, replacing what `cost` says. */
function align(rows: number, columns: number, cost: (row: number, column: number) => number): number {
  let previous = Array.from({ length: columns + 1 }, (_, j) => j);
  for (let i = 0; i < rows; i += 1) {
    const current = [i + 1];
    for (let j = 0; j < columns; j += 1) {
      const replaced = (previous[j] as number) + cost(i, j);
      current.push(Math.min(replaced, (previous[j + 1] as number) + 1, (current[j] as number) + 1));
    }
    previous = current;
  }
  return previous[columns] as number;
}
