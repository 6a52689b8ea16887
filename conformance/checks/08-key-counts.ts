// Every request of a key counts, whatever it asks for and however it is answered: what X-RateLimit-Remaining tells of
// the window of the key is held against all that the run has sent. No request of its own.
import { type Exchange, isAnswered } from '../exchange/exchange.ts';
import { readWhole } from '../exchange/told-limits.ts';
import { contractWindows } from '../pace/lanes.ts';
import { type Check, defineChecks } from '../probe/check.ts';
import { about } from './claims.ts';

const { limit, windowMs } = contractWindows.key;

/** Requests that a limiter may have been told to pass over. */
const KINDS = {
  'requests that are no GET': ({ method }: Exchange) => method !== 'GET',
  'refused requests': ({ status }: Exchange) => status >= 400,
  'requests refused with 400 or 404': ({ status }: Exchange) => status === 400 || status === 404,
} as const;

/** Fewer could be chance, or an approximation of the window. */
const SAMPLES_MIN = 10;
/** So many requests of the kind must lie within the window, so that to pass over them shows. */
const APART_MIN = 4;
/** At the edge of the window, and of two requests that are under way together, nobody knows. */
const SLACK = 1;
const SHARE = 0.95;

/** An answer that tells of the window of the key, and what the run had sent within it by then. */
interface Sample {
  readonly exchange: Exchange;
  readonly told: number;
  readonly sent: readonly Exchange[];
}

const countsAll: Check = {
  id: 'limits/key-counts-all',
  title: 'X-RateLimit-Remaining of the key goes down with every request, whatever kind it is of',
  cites: ['8.key-window', '8.headers.remaining'],
  level: 'must',
  phase: 'after bursts',
  cost: { requests: 0 },
  async run(probe) {
    // What the limiter of the address has refused has not come as far as the key.
    const counted = probe.history().filter((one) => one.key === 'good' && isAnswered(one) && one.status !== 429);
    const samples = samplesOf(counted);
    const kinds = Object.entries(KINDS).map(([name, isOfKind]) => ({ name, ...compare(samples, isOfKind) }));
    const telling = kinds.filter(({ apart }) => apart >= SAMPLES_MIN);
    if (telling.length === 0) return probe.stop('vacuous', 'too few answers tell of the window of the key');
    const odd = telling.find(({ apart, passedOver, whole }) => passedOver >= SHARE * apart && whole < SHARE * apart);
    probe.holds(odd === undefined, {
      ...about(odd?.last ?? samples.at(-1)?.exchange, '8.key-window', '#header/x-ratelimit-remaining'),
      expected: 'a number that goes down with each request of the key',
      actual: odd === undefined ? 'as expected' : `what is left when ${odd.name} are not counted`,
      ...(odd === undefined ? {} : { message: `so in ${odd.passedOver} of ${odd.apart} answers that can tell` }),
    });
  },
};

function samplesOf(counted: readonly Exchange[]): Sample[] {
  return counted.flatMap((exchange, index) => {
    const { headers, sentAt, burst } = exchange;
    const told = readWhole(headers['x-ratelimit-remaining']);
    if (burst || told === null || readWhole(headers['x-ratelimit-limit']) !== limit) return [];
    // In the order of sending.
    const sent = counted.slice(0, index + 1).filter((one) => one.sentAt > sentAt - windowMs);
    return [{ exchange, told: limit - told, sent }];
  });
}

/** Among the answers in which it makes a difference: how many count all, and how many all but those of the kind. */
function compare(samples: readonly Sample[], isOfKind: (exchange: Exchange) => boolean) {
  // What is not counted may carry headers of its own.
  const others = samples.filter(({ exchange }) => !isOfKind(exchange));
  const apart = others.filter(({ sent }) => sent.filter(isOfKind).length >= APART_MIN);
  const isNear = (told: number, count: number) => Math.abs(told - count) <= SLACK;
  return {
    apart: apart.length,
    whole: apart.filter(({ told, sent }) => told >= sent.length - SLACK).length,
    passedOver: apart.filter(({ told, sent }) => isNear(told, sent.filter((one) => !isOfKind(one)).length)).length,
    last: apart.at(-1)?.exchange,
  };
}

export const keyCounts = defineChecks([countsAll]);
