import { describe, expect, it } from 'vitest';
import { errorExamples } from '../contract/generated/errors.ts';
import { operations } from '../contract/generated/operations.ts';
import { networkFaults } from '../domain/faults.ts';
import { faultGrammar, parseFaultSpec } from './fault-spec.ts';

describe('a fault spec', () => {
  it.each([
    ['createPost=provider_auth', { match: { operation: 'createPost' }, error: 'provider_auth' }],
    ['*=limiter_key@0.1', { match: {}, error: 'limiter_key', probability: 0.1 }],
    ['*=503', { match: {}, error: 'transient' }],
    ['*=429+network:slow', { match: {}, error: 'limiter_key', network: 'slow' }],
    ['*=rate_limited+retry-after:61@1x', { match: {}, error: 'rate_limited', retryAfterS: 61, times: 1 }],
    ['*=limiter_key+retry-after:none', { match: {}, error: 'limiter_key', retryAfterS: null }],
    ['*=latency:PT2S', { match: {}, latencyMs: 2000 }],
    ['*=transient@.5', { match: {}, error: 'transient', probability: 0.5 }],
    ['*=transient@0', { match: {}, error: 'transient', probability: 0 }],
    ['*=transient@1', { match: {}, error: 'transient', probability: 1 }],
    ['*=transient@1x', { match: {}, error: 'transient', times: 1 }],
    ['listReviews=network:reset', { match: { operation: 'listReviews' }, network: 'reset' }],
    ['getInsights=latency:2000', { match: { operation: 'getInsights' }, latencyMs: 2000 }],
    ['getInsights=latency:2s@3x', { match: { operation: 'getInsights' }, latencyMs: 2000, times: 3 }],
    ['getInsights=latency:5ms', { match: { operation: 'getInsights' }, latencyMs: 5 }],
    ['getInsights=transient+latency:0', { match: { operation: 'getInsights' }, error: 'transient', latencyMs: 0 }],
  ])('%s is read', (spec, rule) => {
    expect(parseFaultSpec(spec, 'f')).toEqual({ id: 'f', ...rule });
  });

  it.each([
    ['createPost', 'A fault must be OPERATION=EFFECT, for example createPost=provider_auth, not "createPost".'],
    ['=x', 'A fault must be OPERATION=EFFECT, for example createPost=provider_auth, not "=x".'],
    ['replyReview=transient', 'There is no operation "replyReview". Did you mean "replyToReview"?'],
    ['createPots=transient', 'There is no operation "createPots". Did you mean "createPost"?'],
    ['*=provider_auht', 'There is no error "provider_auht". Did you mean "provider_auth"?'],
    ['*=network:rest', 'There is no network fault "rest". Did you mean "reset"?'],
    ['*=latency:soon', 'latency takes a time up to 600 s, for example 2s or 250ms, not "soon".'],
    ['*=latency:601s', 'latency takes a time up to 600 s, for example 2s or 250ms, not "601s".'],
    ['*=delay:5', 'A fault takes an error, network:KIND, retry-after:SECONDS or latency:TIME, not "delay:5".'],
    ['*=429+retry-after:1m', 'retry-after takes seconds up to 86400, or none, not "1m".'],
    ['*=retry-after:5', 'The fault "*=retry-after:5" needs an error for retry-after'],
    ['*=418', 'There is no error "418". Statuses: 400, 401'],
    ['*=transient+not_found', 'The fault "*=transient+not_found" gives more than one error.'],
    ['*=latency:1+latency:2', 'The fault "*=latency:1+latency:2" gives more than one latency.'],
    ['*=transient@2', 'The fault "*=transient@2" ends in @2; it takes a share from 0 to 1 (@0.1) or times (@3x).'],
    ['*=transient@0x', 'The fault "*=transient@0x" ends in @0x; it takes a share from 0 to 1 (@0.1) or times (@3x).'],
  ])('%s is rejected with a sentence', (spec, sentence) => {
    expect(() => parseFaultSpec(spec, 'f')).toThrow(sentence);
  });

  it.each([
    ['*=401', ['*=401: "401" means unauthorized. It also fits provider_auth.']],
    ['*=429', ['*=429: "429" means limiter_key. It also fits limiter_address, rate_limited.']],
    [
      '*=400@1',
      [expect.stringContaining('invalid_input'), '*=400@1: @1 means every request. For one request, write @1x.'],
    ],
    ['*=latency:2', ['*=latency:2: latency:2 is 2 milliseconds. For seconds, write latency:2s.']],
    ['*=503', []],
    ['*=payment_required', []],
    ['*=unauthorized@1x', []],
    ['*=latency:2000', []],
    ['*=latency:2ms', []],
    ['*=latency:0', []],
  ])('%s warns of what its author might not expect', (spec, expected) => {
    const warnings: string[] = [];
    parseFaultSpec(spec, 'f', (sentence) => warnings.push(sentence));
    expect(warnings).toEqual(expected);
  });

  it('has a grammar that names everything it takes', () => {
    const names = [...Object.keys(operations), ...Object.keys(errorExamples), ...networkFaults];
    expect(names.filter((name) => !faultGrammar.includes(name))).toEqual([]);
    const examples = faultGrammar.split('Examples')[1]?.match(/\S+=\S+/g) ?? [];
    expect(examples.map((spec) => parseFaultSpec(spec, 'f').id)).toEqual(['f', 'f', 'f', 'f']);
  });
});
