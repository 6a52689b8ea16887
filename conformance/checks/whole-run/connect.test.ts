import { describe, expect, test } from 'vitest';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import { invalidLinkLabel } from '../../exchange/request.ts';
import { connect } from './connect.ts';

const [sixOperations, eachProblem, ownIds] = connect as [(typeof connect)[0], (typeof connect)[0], (typeof connect)[0]];
const at = '/connect/accounts';
const text = (value: unknown) => ({ requestBody: { text: JSON.stringify(value), bytes: 2 } });
const rejected = (issues?: unknown) => ({ error: { code: 'invalid_input', message: '', issues } });
const twice = text({ provider: 'casa', label: '' });

describe('accounts/six-operations', () => {
  const all: Line[] = [
    [`good GET ${at}`, { data: {} }],
    [`good POST ${at}`, rejected()],
    [`good POST ${at}/a/posts`, { data: {} }],
    [`good GET ${at}/a/reviews`, { data: {} }],
    [`good POST ${at}/a/reviews/r/reply`, rejected()],
    [`good GET ${at}/a/insights`, { data: {} }],
  ];
  test('passes if each operation returned a response, and is inconclusive without one', () => {
    expect(judged(sixOperations, historyOf(all)).result).toBe('pass');
    expect(judged(sixOperations, historyOf(all.slice(1))).result).toBe('inconclusive(precondition)');
  });
});

describe('links/each-problem', () => {
  test.each<[string, unknown, object, string]>([
    ['one of two problems', [{ path: 'provider', message: 'missing' }], twice, 'warn'],
    ['only an empty entry', [{}], twice, 'warn'],
    ['both in one entry', [{ message: 'provider and label are missing' }], twice, 'pass'],
    ['both, one level deeper', { fieldErrors: { provider: ['missing'], label: ['missing'] } }, twice, 'pass'],
    ['one, of a body that is too long to keep', [{ path: 'label' }], { label: invalidLinkLabel }, 'warn'],
    ['one, of a body with one', [{ path: 'label' }], text({ provider: 'tiktok', label: '' }), 'inconclusive(vacuous)'],
    ['one, of an empty body', [{ path: 'label' }], text({}), 'inconclusive(vacuous)'],
  ])('checks issues that list %s', (_, issues, rest, result) => {
    expect(judged(eachProblem, historyOf([[`good POST ${at}`, rejected(issues), rest]])).result).toBe(result);
  });
});

describe('posts/own-ids', () => {
  const post = (postId: string | undefined, words: string): Line => [
    `good POST ${at}/a/posts`,
    { data: { postId } },
    text(words),
  ];
  test.each<[string, Line[], string]>([
    ['that differ', [post('1', 'a'), post('2', 'b')], 'pass'],
    ['in common', [post('1', 'a'), post('1', 'b')], 'warn'],
    ['in common for the same text', [post('1', 'a'), post('1', 'a')], 'pass'],
    ['that the recording lacks', [post(undefined, 'a'), post(undefined, 'b')], 'inconclusive(vacuous)'],
  ])('checks posts with ids %s', (_, lines, result) => {
    expect(judged(ownIds, historyOf(lines)).result).toBe(result);
  });
});
