// The sentence about a target that stopped answering: what stood in the way, since when, and what to do.
import { type Exchange, errorCode, isGatewayPage } from '../exchange/exchange.ts';
import type { Abort } from '../report/report.ts';
import { pageTitle } from './in-front.ts';

/** In the middle of a run; `since` is the first request that was lost. */
export function downInTheMiddle(host: string, since: Exchange | null): Abort {
  if (since === null) return abort(`${host} has stopped answering.`);
  const name = `${since.method} ${since.target.split('?')[0]}`;
  return abort(`${host} went down during the run: ${name} got ${wordsFor(since)}, and so did every request after it.`);
}

/** From the first request on. */
export function downFromTheStart(host: string, exchange: Exchange): Abort {
  return abort(`${host} is down: it answers ${wordsFor(exchange)} to everything, so try again when it is up.`);
}

/** Exit code 4: nothing was proven about a target that is not there. */
function abort(sentence: string): Abort {
  return { exitCode: 4, sentence };
}

function titled(exchange: Exchange): string {
  const title = pageTitle(exchange);
  return title === '' ? '' : ` titled "${title}"`;
}

/** As a person would say what came back. */
function wordsFor(exchange: Exchange): string {
  if (isGatewayPage(exchange)) return `the ${exchange.status} page of a gateway${titled(exchange)}`;
  if (exchange.status === 0) return `no answer (${exchange.problemDetail ?? exchange.problem})`;
  return [exchange.status, errorCode(exchange)].filter((part) => part !== null).join(' ');
}
