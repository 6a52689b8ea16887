import { describe, expect, it } from 'vitest';
import { home } from '../../fixtures/test-kit/actors.ts';
import type { CoreResponse } from './message.ts';
import { type Routing, route } from './route.ts';
import { assertConforms, ContractViolation } from './strict.ts';

const sites = route('GET', '/api/v1/sites');
const keywords = route('GET', '/api/v1/keywords');
const post = route('POST', '/api/v1/connect/accounts/5a7e9c32-4f10-4b8d-93c6-e2d1b0a8f745/posts');
const limit = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1772442060000' };

function respond(status: number, body: unknown, headers: Record<string, string> = {}): CoreResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

const page = respond(200, { data: [] }, { 'content-type': 'text/html' });
const plain = { error: 'rate_limit_exceeded' };
const posted = { postId: '1', permalink: null };
const error = (code: string, more: object = {}) => ({ error: { code, message: 'No.', ...more } });
const [site] = home.sites;

describe('the strict check passes', () => {
  it.each<[string, CoreResponse, Routing]>([
    ['a success', respond(200, { data: [site] }), sites],
    ['a rejection', respond(401, error('unauthorized')), sites],
    ['a rejection with issues', respond(400, error('invalid_input', { issues: ['text is missing'] })), post],
    ['a limiter', respond(429, plain, limit), sites],
    ['a platform that limits', respond(429, error('rate_limited')), post],
    ['a body over the cap', respond(413, error('payload_too_large')), sites],
    ['an unknown path', respond(404, error('not_found')), 'unknown_path'],
    ['an unknown method', respond(405, error('method_not_allowed')), 'unknown_method'],
  ])('%s', (_what, response, routing) => {
    expect(() => assertConforms(response, routing, { forced: false })).not.toThrow();
  });

  it('a status that the endpoint does not list', () => {
    const response = respond(503, error('transient'));
    expect(() => assertConforms(response, sites, { forced: true })).not.toThrow();
    expect(() => assertConforms(response, sites, { forced: false })).toThrow(ContractViolation);
  });
});

describe('the strict check in other behaviors', () => {
  const inBehaviors = { forced: false, inBehaviors: true };
  const problem = { 'content-type': 'application/problem+json' };

  it.each<[string, CoreResponse, Routing]>([
    ['another JSON type', respond(404, error('not_found'), problem), post],
    ['a 400 of a list with another code', respond(400, error('bad_request')), keywords],
    ['issues next to error', respond(400, { ...error('invalid_input'), issues: { text: ['No.'] } }), post],
    ['issues deeper', respond(400, error('invalid_input', { details: { issues: ['No.'] } })), post],
  ])('passes %s, and not otherwise', (_what, response, routing) => {
    expect(() => assertConforms(response, routing, inBehaviors)).not.toThrow();
    expect(() => assertConforms(response, routing, { forced: false })).toThrow(ContractViolation);
  });

  it.each<[string, CoreResponse, Routing, RegExp]>([
    ['a page', page, sites, /content type/],
    ['a 400 of a connect operation with another code', respond(400, error('bad_request')), post, /allowed values/],
    ['empty issues', respond(400, error('invalid_input', { issues: [] })), post, /issues are missing/],
    ['a code with the status of another', respond(404, error('unauthorized')), post, /does not belong/],
  ])('throws at %s', (_what, response, routing, message) => {
    expect(() => assertConforms(response, routing, inBehaviors)).toThrow(message);
  });
});

describe('the strict check throws at', () => {
  it.each<[string, CoreResponse, Routing, RegExp]>([
    ['another content type', page, sites, /content type/],
    ['no JSON', { ...respond(200, {}), body: '{' }, sites, /not JSON/],
    ['a missing field', respond(200, { data: [{ ...site, cms: undefined }] }), sites, /\/data\/0 .*cms/],
    ['a null that is not allowed', respond(200, { data: [{ ...site, cms: null }] }), sites, /\/data\/0\/cms/],
    ['an id that is not a UUID', respond(200, { data: [{ ...site, id: 'x' }] }), sites, /\/data\/0\/id/],
    ['a field too many', respond(200, { data: { ...posted, x: 1 }, summary: '' }), post, /additional/],
    ['a missing summary', respond(200, { data: posted }), post, /summary/],
    ['a success of nothing', respond(200, {}), 'unknown_path', /without an operation/],
    ['a status that is not listed', respond(402, error('payment_required', { reason: 'x' })), sites, /no such status/],
    ['a code that is not enumerated', respond(400, error('bad_request', { issues: ['x'] })), post, /allowed values/],
    ['a code with the status of another', respond(404, error('unauthorized')), post, /does not belong/],
    ['no issues', respond(400, error('invalid_input')), post, /issues are missing/],
    ['no reason', respond(402, error('payment_required')), post, /reason is missing/],
    ['a plain error that is not a 429', respond(401, plain, limit), sites, /plain error/],
    ['other words of the limiter', respond(429, { error: 'slow down' }, limit), sites, /LimiterError/],
    ['a limiter without headers', respond(429, plain), sites, /X-RateLimit/],
    ['a broken Retry-After', respond(429, plain, { ...limit, 'retry-after': '1.5' }), sites, /Retry-After/],
  ])('%s', (_what, response, routing, message) => {
    expect(() => assertConforms(response, routing, { forced: false })).toThrow(message);
  });
});
