import { describe, expect, it } from 'vitest';
import { actsOnTerminal, controls, unseen } from '../../fixtures/test-kit/control-characters.ts';
import { goodKey, type Init, startTestEngine } from '../../fixtures/test-kit/engine.ts';
import { contractLimits } from '../domain/limits.ts';
import { plain } from '../terminal/paint.ts';
import { requestLine } from './request-line.ts';

/** The lines of a log for the last of some requests. */
function logOf(line: string, asked: Init, sent = 1, limits = { ...contractLimits, enforced: false }): string {
  const { engine, ask } = startTestEngine({ limits });
  let log = '';
  engine.subscribe((event) => {
    if (event.type === 'exchange') log = requestLine(event.entry, { paint: plain });
  });
  for (let request = 0; request < sent; request += 1) ask(line, asked);
  return log;
}

const fields: Readonly<Record<string, (text: string) => string>> = {
  'the path': (text) => logOf('GET /sites', { path: `/api/v1/${text}` }),
  'the query': (text) => logOf('GET /sites', { query: `a=${text}` }),
  'the decoded query': (text) => logOf('GET /sites', { query: `limit=${encodeURIComponent(text)}` }),
  __example: (text) => logOf('GET /sites', { query: `__code=401&__example=${encodeURIComponent(text)}` }),
  __code: (text) => logOf('GET /sites', { query: `__code=${encodeURIComponent(text)}` }),
  Prefer: (text) => logOf('GET /sites', { headers: { prefer: `code=401, example=${text}` } }),
  'X-Forwarded-For': (text) => logOf('GET /sites', { headers: { 'x-forwarded-for': `1.2.3.4${text}` } }),
  'the end of the key': (text) => logOf('GET /sites', { key: `casa_0123${text}` }),
  'the method': (text) => logOf('GET /sites', { method: `GE${text}T` }),
};

describe.each(Object.entries(fields))('a control character in %s', (_, log) => {
  it('is spelled out in any case', () => {
    const marks = unseen.filter((character) => actsOnTerminal.test(log(character)));
    expect(marks).toEqual([]);
  });

  it('starts no separate line', () => {
    const usual = log('x').split('\n').length;
    expect(controls.filter((character) => log(`${character}forged`).split('\n').length !== usual)).toEqual([]);
  });
});

it('has 65 control characters to try', () => {
  expect(controls).toHaveLength(65);
});

it('names the operation that a path without one can have meant', () => {
  const log = logOf('POST /sites', { path: '/api/v1/connect/accounts/7/reviews/a/b/reply' });
  expect(log).toContain('nearest: POST /api/v1/connect/accounts/{accountId}/reviews/{reviewId}/reply.');
  expect(log).toContain('An ID with / has to be percent-encoded.');
});

it('shows of a key in a query what the request log shows of it', () => {
  const log = logOf('GET /sites', { query: `key=${goodKey}` });
  expect(log).not.toContain(goodKey);
  expect(log).toContain('key=casa_…cdef');
});

const wish = { query: '__code=429&__example=limiter_key' };
it.each([
  ['a requested 429', wish, 1, 'key rate limit, caused by a fault'],
  ['a full window, although another error was requested', wish, 11, 'address rate limit: 10 requests in 10 s'],
  ['a full window, with the flag that turns limits off', {}, 11, 'or start the mock with --no-limits.'],
])('says what blocked a request: %s', (_, asked, sent, reason) => {
  expect(logOf('GET /sites', asked, sent, contractLimits)).toContain(reason);
});
