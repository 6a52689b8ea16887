import { describe, expect, test } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { lookAt } from '../exchange/look.ts';
import { responseObservers } from './responses.ts';

const response = (status: number, json: object, headers: Record<string, string> = {}) =>
  ({
    id: 'x1',
    operation: 'listArticles',
    target: '/articles',
    status,
    key: 'good',
    problem: 'none',
    json,
    headers,
  }) as unknown as Exchange;
const seen = (id: 'challengeForm', exchange: Exchange) =>
  responseObservers[id](lookAt([exchange], null)).map(({ value }) => value);

describe('the challenge', () => {
  const rejection = { error: { code: 'unauthorized', message: '' } };

  test.each([
    ['Bearer', ['Bearer']],
    ['Bearer realm="Customer 17, Inc."', ['Bearer realm']],
    [
      'bearer  realm=api,error="invalid_token" , error_description="a, \'b\'"',
      ['bearer realm, error, error_description'],
    ],
    ['Bearer realm="a", Basic realm="b"', []],
    ['Negotiate abc==', []],
    ['Bearer realm="unended', []],
    ['', []],
    [`Bearer ${'x'.repeat(5000)}="1"`, []],
    [`Bearer ${Array.from({ length: 9 }, (_, i) => `a${'b'.repeat(i)}=1`).join(', ')}`, []],
  ])('%s is read without its values', (header, values) => {
    expect(seen('challengeForm', response(401, rejection, { 'www-authenticate': header }))).toEqual(values);
  });

  test('of a 401 for a connected account is inconclusive', () => {
    const json = { error: { code: 'provider_auth', message: '' } };
    expect(seen('challengeForm', response(401, json, { 'www-authenticate': 'Basic' }))).toEqual([]);
  });
});

test('additional fields that only some operations have are learnt for each of them', () => {
  const page = { data: [{ id: '1', beta: true }], cursor: null, links: {} };
  const one = { ...response(200, { data: { id: '1' } }), id: 'x2', operation: 'getArticle' } as Exchange;
  const [{ value } = { value: null }] = responseObservers.extraFields(lookAt([response(200, page), one], null));
  const [links, beta, optional] = [{ type: 'object', fields: {} }, { type: 'boolean' }, true];
  expect(value?.fields).toMatchObject({
    article: { fields: { beta: { ...beta, optional } } },
    'listArticles.article': { fields: { beta } },
    'getArticle.article': { fields: {} },
    envelope: { fields: { links: { ...links, optional } } },
    'listArticles.envelope': { fields: { links } },
    'getArticle.envelope': { fields: {} },
  });
  expect(Object.keys(value?.fields?.['getArticle.envelope']?.fields ?? {})).toEqual([]);
});

test('an empty path has the form of the other paths', () => {
  const rejected = (path: string) => ({ ...response(400, { error: { code: '', message: '', issues: [{ path }] } }) });
  const formOf = (...paths: string[]) =>
    paths
      .flatMap((path) => responseObservers.issues(lookAt([rejected(path)], null)))
      .map(({ value }) => JSON.stringify(value).includes('pointer'));
  expect(formOf('', 'a.b', '/a')).toEqual([false, false, true]);
});
