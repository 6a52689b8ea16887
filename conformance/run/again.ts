// Requests that a run adds when something failed: repetitions, and the request without its query as a control. Reads
// only, and never more than the plan permits.
import type { Cause } from '../diagnosis/causes.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import type { Session } from './session.ts';

/** Each gets three requests at most. */
const causesMax = 10;
const timesMin = 3;

/** Shows how often a defect occurs, and whether the endpoint works at all. */
export async function sendAgain({ client, exchanges, signal }: Session, causes: readonly Cause[]): Promise<void> {
  for (const cause of causes.slice(0, causesMax)) {
    const bad = exchanges.find(({ id }) => id === cause.finding.exchange);
    for (const spec of bad === undefined ? [] : requestsFor(cause, bad)) {
      if (signal?.aborted || client.isDown() !== null) return;
      await client.deliver(spec);
    }
  }
}

/** Other responses to the request can be compared only by their status, or by a rule. */
function requestsFor({ finding, checks: [first = ''], control, scope }: Cause, bad: Exchange): RequestSpec[] {
  const { method, operation, target, key, burst, status } = bad;
  const isStatus = finding.pointer === '#status';
  const isRead = method === 'GET' && operation !== null && !burst && status > 0 && status !== 429;
  const isPlain = key === 'good' || key === 'second' || key === 'none';
  if (!isRead || !isPlain || !(isStatus || first.startsWith('rule/'))) return [];
  const [path = ''] = target.split('?');
  const again = Array.from({ length: Math.max(0, timesMin - scope.of) }, () => ({ method, path: target, key }));
  return isStatus && control === null && path !== target ? [...again, { method, path, key }] : again;
}
