import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from './suggestion.ts';

const words = ['port', 'host', 'relaxed', 'trust-proxy', 'provider_auth'];

describe('a suggestion', () => {
  it.each([
    ['prot', 'port'],
    ['prt', 'port'],
    ['ports', 'port'],
    ['Port', 'port'],
    ['relaxd', 'relaxed'],
    ['trustproxy', 'trust-proxy'],
    ['providerauth', 'provider_auth'],
  ])('for %s is %s', (word, meant) => {
    expect(nearest(word, words)).toBe(meant);
  });

  it.each(['', 'x', 'banana', 'verbose'])('is not made up for "%s"', (word) => {
    expect(nearest(word, words)).toBeNull();
  });

  it('is a question, or nothing', () => {
    expect([didYouMean('hots', words), didYouMean('zzz', words)]).toEqual([' Did you mean "host"?', '']);
  });
});
