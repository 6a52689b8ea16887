// For a request that met no operation: which ones it may have meant, the likeliest first.
import { type Operation, operations } from '../contract/generated/operations.ts';
import { typingErrors } from '../terminal/suggestion.ts';
import { basePath } from './route.ts';

/** One suggestion, as the request log, the dashboard and the response to an unknown path show it. */
export interface NearMiss {
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  /** In one sentence, how the request differs. */
  readonly why: string;
}

const nearMissesMax = 3;
/** No operation is like a longer path, and comparing all of one would stop the mock for seconds. */
const lengthCompared = 60;

/** At most three, whose paths are at most a third of typing errors away. Another method counts less than that. */
export function findNearMisses(method: string, path: string): NearMiss[] {
  const [bases = ''] = /^(?:\/api\/v1(?=\/|$))*/.exec(path.slice(0, 1000)) ?? [];
  const below = formOf(path.slice(bases.length, bases.length + 1000)).slice(0, lengthCompared);
  const baseCount = bases.length / basePath.length;
  return Object.values(operations)
    .map((operation) => ({ operation, errors: typingErrors(formOf(operation.path), below) }))
    .filter(({ operation, errors }) => errors <= formOf(operation.path).length / 3)
    .sort((a, b) => rank(a, method) - rank(b, method))
    .slice(0, nearMissesMax)
    .map(({ operation, errors }) => ({
      method: operation.method,
      path: `${basePath}${operation.path}`,
      operation: operation.id,
      why: explain(operation, { method, path, isMisspelt: errors > 0, baseCount }),
    }));
}

function rank({ operation, errors }: { operation: Operation; errors: number }, method: string): number {
  return errors + (operation.method === method ? 0 : 0.5);
}

/** `/articles/*`: only words are compared, because a path value looks like an id. */
function formOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  return segments.map((segment) => `/${/^[a-z]+$/i.test(segment) ? segment.toLowerCase() : '*'}`).join('');
}

/** Everything that differs, in one sentence; the order is that in which one would mend it. */
function explain(
  operation: Operation,
  { method, path, isMisspelt, baseCount }: { method: string; path: string; isMisspelt: boolean; baseCount: number },
): string {
  const faults: string[] = [];
  const segments = (text: string) => text.split('/').filter((segment) => segment !== '').length;
  const isLonger = baseCount === 1 && segments(path) > segments(basePath) + segments(operation.path);
  if (baseCount === 0) faults.push(`the path has to start with ${basePath}`);
  if (baseCount > 1) faults.push(`the path repeats ${basePath}, which the base URL already has`);
  if (isLonger && operation.path.includes('{')) faults.push('an ID with / has to be percent-encoded');
  else if (isMisspelt) faults.push('the path is spelt differently');
  if (operation.method !== method) faults.push(`the method is ${operation.method}, not ${method}`);
  const sentence = `${faults.join(', and ') || explainSpelling(path)}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

// The right words in the right places, and yet no match.
function explainSpelling(path: string): string {
  if (/\/$/.test(path)) return 'the path ends with an extra slash';
  if (path.includes('//')) return 'a path value is empty';
  return /%(?![0-9a-f]{2})/i.test(path) ? 'a path value is badly percent-encoded' : 'paths are written in lower case';
}
