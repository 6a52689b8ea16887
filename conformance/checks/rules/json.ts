// The first sentence of section 4: everything is JSON. One root cause is one finding here; most other rules pass over a
// body that is not JSON.

import { hasResponse, isPlatformTrouble, isRejectedUrl, senderOf } from '../../exchange/exchange.ts';
import { isEncodingFault } from '../../exchange/read-json.ts';
import { show } from '../../judge/ledger.ts';
import type { Rule } from '../../judge/rule.ts';

/** `application/json` and every type that ends in `+json` (interpretation R4). */
const jsonType = /^[\w.+-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

export const json: Rule = {
  id: 'rule/json',
  title: 'Every response is JSON with a JSON content type',
  cites: ['4.json', '1.http-json'],
  level: 'must',
  check(exchange, ledger) {
    if (exchange.operation === null || !hasResponse(exchange)) return;
    // A gateway in front of the service returns 502 and 503 in its own words: likely not the service's own response.
    const severity = exchange.status >= 502 && exchange.status <= 504 ? 'warn' : 'fail';
    const isJson = exchange.problem === 'none';
    const actual = `${show(exchange.bodyText)}${exchange.problemDetail ? ` (${exchange.problemDetail})` : ''}`;
    const sender = senderOf(exchange);
    const body = { clause: '4.json', pointer: '#body', expected: 'a JSON body', actual, exchange } as const;
    if (isRejectedUrl(exchange)) return isJson ? undefined : ledger.record('note', body);
    const proves = ['4.json', '1.http-json'] as const;
    const fault = isJson && isEncodingFault(exchange.problemDetail) ? exchange.problemDetail : null;
    if (fault !== null) ledger.holds(false, { ...body, expected: 'JSON in UTF-8', actual: fault }, severity);
    ledger.holds(
      isJson,
      { ...body, proves, ...(sender === null ? {} : { message: `${sender} seems to have responded` }) },
      severity,
    );
    const type = exchange.headers['content-type'];
    const claim = {
      clause: '4.json',
      pointer: '#header/content-type',
      expected: 'a JSON media type',
      actual: show(type),
      exchange,
    } as const;
    // JSON inside of JSON is a string to every client; no body of the contract is one.
    if (typeof exchange.json === 'string') {
      ledger.holds(false, { clause: '4.json', pointer: '', expected: 'a JSON object', actual, exchange }, severity);
    }
    // A body that is not JSON is one finding; its type has the same root cause.
    if (isJson) ledger.holds(jsonType.test(type ?? ''), claim, severity);
  },
};

// A key that comes back in a response ends in the logs and on the screens of its readers. Every spelling that the
// redaction knows counts.

export const secrecy: Rule = {
  id: 'rule/key-secrecy',
  title: 'No response contains the API key',
  cites: ['5.bearer-header'],
  // The contract does not forbid it in words; good sense does.
  level: 'should',
  isForMcp: true,
  check(exchange, ledger, context) {
    if (!hasResponse(exchange)) return;
    const places = { '#body': exchange.bodyText, '#headers': Object.values(exchange.headers).join('\n') };
    for (const [pointer, text] of Object.entries(places)) {
      const found = context.findSecrets(text);
      const claim = { pointer, expected: 'no API key', actual: found.join(', ') || 'none', exchange };
      if (isPlatformTrouble(exchange) && found.length === 0) continue;
      ledger.holds(found.length === 0, { ...claim, clause: '5.bearer-header' });
    }
  },
};
