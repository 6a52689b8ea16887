import { describe, expect, it } from 'vitest';
import { errorExamples } from '../contract/generated/errors.ts';
import { operations } from '../contract/generated/operations.ts';
import { networkFaults } from '../domain/faults.ts';
import { faultGrammar, parseFaultSpec } from './fault-spec.ts';

describe('a fault spec', () => {
  it.each([
    ['createPost=provider_auth', { match: { operation: 'createPost' }, error: 'provider_auth' }],
    ['*=limiter_key@0.1', { match: {}, error: 'limiter_key', probability: 0.1 }],
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
    ['createPost', 'A fault takes OPERATION=EFFECT, such as createPost=provider_auth, not "createPost".'],
    ['=x', 'A fault takes OPERATION=EFFECT, such as createPost=provider_auth, not "=x".'],
    ['createPots=transient', 'There is no operation "createPots". Did you mean "createPost"?'],
    ['*=provider_auht', 'There is no error "provider_auht". Did you mean "provider_auth"?'],
    ['*=network:rest', 'There is no network fault "rest". Did you mean "reset"?'],
    ['*=latency:soon', 'A fault takes latency:2000 (milliseconds) or latency:2s, not "latency:soon".'],
    ['*=delay:5', 'A fault takes an error name, network:KIND or latency:TIME, not "delay:5".'],
    ['*=transient+not_found', 'The fault "*=transient+not_found" gives more than one error.'],
    ['*=latency:1+latency:2', 'The fault "*=latency:1+latency:2" gives more than one latency.'],
    ['*=transient@2', 'The fault "*=transient@2" ends in @2; it takes a share from 0 to 1 (@0.1) or times (@3x).'],
    ['*=transient@0x', 'The fault "*=transient@0x" ends in @0x; it takes a share from 0 to 1 (@0.1) or times (@3x).'],
  ])('%s is refused with a sentence', (spec, sentence) => {
    expect(() => parseFaultSpec(spec, 'f')).toThrow(sentence);
  });

  it('has a grammar that names everything it takes', () => {
    const names = [...Object.keys(operations), ...Object.keys(errorExamples), ...networkFaults];
    expect(names.filter((name) => !faultGrammar.includes(name))).toEqual([]);
    const examples = faultGrammar.split('Examples')[1]?.match(/\S+=\S+/g) ?? [];
    expect(examples.map((spec) => parseFaultSpec(spec, 'f').id)).toEqual(['f', 'f', 'f', 'f']);
  });
});
