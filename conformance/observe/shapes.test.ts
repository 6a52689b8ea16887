import { describe, expect, test } from 'vitest';
import { whyNoShape } from '../../src/contract/shape.ts';
import { learnShape } from './shapes.ts';

const twelve = <T>(make: (index: number) => T) => Array.from({ length: 12 }, (_, index) => make(index));
const learn = (path: readonly string[]) => {
  const record = (word: string) => path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), word);
  return JSON.stringify(learnShape(twelve((index) => record(index % 2 ? 'abcd' : 'wxyz'))));
};

describe('a vocabulary', () => {
  test.each([
    [['outcome']],
    [['hangupCause']],
    [['hangup_cause']],
    [['CallDirection']],
    [['hangup']],
    [['result', 'code']],
    [['statusCode']],
    [['agent', 'status']],
    [['agentStatus']],
    [['meta', 'channel']],
  ])('is kept in %j', (path) => {
    expect(learn(path)).toContain('"values":["abcd","wxyz"]');
  });

  test.each([
    [['login']],
    [['agent', 'login']],
    [['agent', 'reason']],
    [['customer', 'profile', 'category']],
    [['users', 'source']],
    [['agentSource']],
    [['handle']],
    [['code']],
    [['customer', 'code']],
    [['queue']],
    [['statusBy']],
    [['emailProvider']],
    [['tags']],
    [['nickname']],
    [['sourceName']],
    [['assignee', 'kind_of']],
  ])('is not kept in %j', (path) => {
    expect(learn(path)).not.toContain('abcd');
  });
});

describe('a shape', () => {
  test('has one form for instants with trimmed fractions, and stays short', () => {
    const fractions = ['', '.1', '.12', '.123', '.1234', '.12345', '.123456', '.1234567', '.12345678', '.123456789'];
    const shape = learnShape(twelve((index) => ({ endedAt: `2026-03-01T12:00:00${fractions[index % 10]}Z` })));
    expect(shape?.members?.endedAt?.form).toBe('YYYY-MM-DDThh:mm:ss[.fffffffff]Z');
    expect(whyNoShape(shape)).toBeNull();
  });

  test.each<[string, (index: number) => object]>([
    ['many forms of instants', (index) => ({ at: `2026-03-01T12:00:00.123+0${index % 9}:00` })],
    ['a member with a long name', (index) => ({ ['x'.repeat(200)]: index, id: index })],
    ['long words', (index) => ({ status: index % 2 ? 'a'.repeat(100) : 'b' })],
  ])('is good with %s', (_name, make) => {
    const shape = learnShape(twelve(make));
    expect(shape).not.toBeNull();
    expect(whyNoShape(shape)).toBeNull();
  });
});
