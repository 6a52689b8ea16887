// Whether the responses still come from the service that the run began with. A key can be revoked in the middle of a
// run, a plan can lapse, a login or a maintenance page can appear, the data can be deleted, and a clock can be set.
// Control requests decide: reads that were valid before. If none of them is any more, the run ends, and nothing from
// that moment on is evidence. A single endpoint or one of several instances that fails is a failure of the deployment.

import { dataOf, type Exchange, errorCode, hasResponse, isObject, listOf } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { type Ahead, aheadByDate, aheadByReset, both } from '../exchange/stated-limits.ts';
import { type Abort, type AbortCause, numberOf } from '../report/report.ts';
import { keyRows } from '../scenarios/capabilities.ts';
import { RequestsUp, TargetDown } from './pace/client.ts';
import { TimeUp } from './pace/clock.ts';
import { inFront, maintenance } from './preflight.ts';
import type { Session } from './session.ts';

type Cause = Exclude<AbortCause, 'clock' | 'unreachable'>;
type Watched = 'good' | 'second';

/** With half of the instances at fault, one such row of responses in a thousand is chance. */
export const controlsMax = 10;
const controlTargetsMax = 2;
/** So many responses by another clock, and none by the old one. */
const clockMin = 3;
const clockJumpMinMs = 60_000;

/**
 * Called after each check. Sends nothing while the last response to each key is one of the service, unless `isFailing`:
 * then the last response must also contain records. Null while the service is the same.
 */
export async function revalidate(session: Session, isFailing: boolean): Promise<Abort | null> {
  try {
    for (const key of ['good', 'second'] as const) {
      const abort = await revalidateKey(session, key, isFailing);
      if (abort !== null) return abort;
    }
    return await revalidateClock(session, isFailing);
  } catch (error) {
    // Too little is left of the run to decide.
    if (error instanceof TimeUp || error instanceof TargetDown || error instanceof RequestsUp) return null;
    throw error;
  }
}

async function revalidateKey(session: Session, key: Watched, isFailing: boolean): Promise<Abort | null> {
  const own = session.exchanges.filter((exchange) => exchange.key === key && hasResponse(exchange));
  const valid = own.filter(({ method, status, mcpEndpoint }) => method === 'GET' && status === 200 && !mcpEndpoint);
  const sound = valid.filter((exchange) => causeIn(exchange) === null);
  const withRecords = sound.filter(hasRecords);
  const known = withRecords.length > 0 ? withRecords : sound;
  const last = own.at(-1);
  // A plan can pay for the connected accounts only.
  const paid = last?.status === 402 && last.target.startsWith('/connect/') ? sound.filter(isAccountList) : [];
  const reads = paid.length > 0 ? paid : known;
  const targets = [...new Set(reads.map(({ target }) => target))].slice(0, controlTargetsMax);
  if (last === undefined || targets.length === 0) return null;
  const isLost = (exchange: Exchange) => known.some((earlier) => isEmptied(exchange, earlier));
  const isDoubtful = causeIn(last) !== null || isLost(last) || (isFailing && !known.includes(last));
  if (!isDoubtful) return null;
  let cause: Cause | null = null;
  for (let sent = 0; sent < controlsMax; sent += 1) {
    const path = targets[sent % targets.length] ?? '';
    const exchange = await control(session, { method: 'GET', path, key });
    cause = causeIn(exchange) ?? (isLost(exchange) ? 'data-emptied' : goneIn(exchange));
    if (cause === null) return null;
  }
  if (cause === null) return null;
  return abortOf(cause, { session, key, since: changedAt(session.exchanges, cause, key) ?? last });
}

const isAccountList = ({ operation }: Exchange) => operation === 'listAccounts';

/** The first request with the key after its last valid response; before it, another one can show the change, too. */
function changedAt(exchanges: readonly Exchange[], cause: Cause, key: Watched): Exchange | undefined {
  const isRejection = cause === 'data-emptied' || cause === 'replaced';
  const isEvidence = (exchange: Exchange) =>
    cause === 'data-emptied' ? hasRecords(exchange) : causeIn(exchange) === null && isOfService(exchange, cause);
  const isChanged = (exchange: Exchange) =>
    exchange.key === key ||
    (causeIn(exchange) !== null && (exchange.status !== 401 || exchange.key === 'good' || exchange.key === 'second')) ||
    (isRejection && exchange.status === 404);
  const sent = exchanges.toSorted((one, other) => numberOf(one) - numberOf(other));
  const last = sent.findLastIndex((exchange) => exchange.key === key && !exchange.mcpEndpoint && isEvidence(exchange));
  return sent.slice(last + 1).find(isChanged);
}

/** On a new connection: an open one can belong to the one instance that fails. */
async function control({ client }: Session, spec: RequestSpec): Promise<Exchange> {
  return (await client.deliver({ ...spec, headers: { connection: 'close' }, confirms: 'control' })).exchange;
}

/** Responses that a service with this key and these data never sends. */
function causeIn(exchange: Exchange): Cause | null {
  const { status, operation, json, bodyText, mcpEndpoint } = exchange;
  const other = maintenance.test(`${exchange.headers.location ?? ''} ${bodyText}`) ? 'maintenance' : 'replaced';
  const front = inFront(exchange);
  if (front !== null) return front.exitCode === 2 ? 'login' : other;
  if (status === 401 && errorCode(exchange) !== 'provider_auth') return 'key-revoked';
  if (status === 402) return 'plan-lapsed';
  if (status !== 200 || operation === null || mcpEndpoint !== undefined) return null;
  if (isObject(json) && json.data !== undefined) return null;
  return other;
}

/** The address limiter and the body cap can reject before the key is read, and a 404 can come from another service. */
function isOfService(exchange: Exchange, cause: Cause): boolean {
  const { status } = exchange;
  return (
    status === 200 || (errorCode(exchange) !== null && status !== 413 && !(status === 404 && cause === 'replaced'))
  );
}

/** For a read that was valid before. A server error and a rate limit say nothing about it. */
function goneIn({ status }: Exchange): Cause | null {
  return status >= 400 && status < 500 && status !== 429 ? 'replaced' : null;
}

/** The records of a list, or a record. */
function hasRecords(exchange: Exchange): boolean {
  const { json, status } = exchange;
  if (status !== 200 || !isObject(json)) return false;
  if (Array.isArray(json.data)) return json.data.length > 0;
  const lists = Object.values(dataOf(exchange)).filter(Array.isArray);
  return isObject(json.data) && (lists.length === 0 || lists.some((list) => listOf(list).length > 0));
}

/** The read of a list that had records before and has none now, or of a record that is not found any more. */
function isEmptied(now: Exchange, earlier: Exchange): boolean {
  if (now.target !== earlier.target || now.method !== 'GET' || !hasRecords(earlier)) return false;
  return now.status === 404 || (now.status === 200 && !hasRecords(now));
}

async function revalidateClock(session: Session, isFailing: boolean): Promise<Abort | null> {
  const isSet = (min: number) => clockSetIn(session.exchanges, min);
  if (isSet(isFailing ? 1 : clockMin) === null) return null;
  for (let sent = 0; sent < clockMin; sent += 1) await control(session, { operation: 'listSites' });
  const since = isSet(clockMin);
  return since === null ? null : abortOf('clock', { session, key: 'good', since });
}

/** The first response by another clock than all before it, if none after it is by the old one. */
function clockSetIn(exchanges: readonly Exchange[], min: number): Exchange | null {
  let known: Ahead | null = null;
  let other: Exchange[] = [];
  for (const exchange of exchanges) {
    // A proxy can write `Date`, so it counts only if `X-RateLimit-Reset` does not contradict it (interpretation R43).
    const [date, reset] = [aheadByDate(exchange), aheadByReset(exchange)];
    const ahead = date !== null && reset !== null ? (both(date, reset) ?? reset) : (date ?? reset);
    if (ahead === null) continue;
    const clock: Ahead | null = known === null ? ahead : both(known, widened(ahead));
    if (clock === null) other.push(exchange);
    else [known, other] = [known === null ? ahead : clock, []];
  }
  return other.length < min ? null : (other[0] ?? null);
}

function widened({ atLeast, atMost }: Ahead): Ahead {
  return { atLeast: atLeast - clockJumpMinMs, atMost: atMost + clockJumpMinMs };
}

interface Moment {
  readonly session: Session;
  readonly key: Watched;
  readonly since: Exchange;
}

type Ending = readonly [exitCode: Abort['exitCode'], happened: string, remedy: string];

const endings: Readonly<Record<Cause | 'clock', (variable: string) => Ending>> = {
  'key-revoked': (variable) => [
    2,
    `rejects the key in ${variable}, which was valid before`,
    `set ${variable} to a new key`,
  ],
  login: () => [2, 'shows a login', 'let the API key pass it'],
  maintenance: () => [4, 'shows a maintenance page', 'run again when the maintenance is over'],
  replaced: () => [4, 'no longer returns the responses of the service', 'check the deployment, and run again'],
  'plan-lapsed': () => [3, 'returns 402, so the plan lapsed', 'pay it, or use a key of another organization'],
  'data-emptied': () => [3, 'has no records of the organization any more', 'use a key of an organization with data'],
  clock: () => [3, 'uses another time, so its clock was set', 'run again'],
};

function abortOf(cause: keyof typeof endings, { session, key, since }: Moment): Abort {
  const [exitCode, happened, remedy] = endings[cause](keyRows[key].variable);
  const name = `${since.method} ${since.target.split('?')[0]}`;
  const { host } = session.target.baseUrl;
  const sentence = `${host} ${happened}, from request ${numberOf(since)} (${name}) on, so nothing after it counts: ${remedy}.`;
  return { exitCode, sentence, cause, since: since.id };
}
