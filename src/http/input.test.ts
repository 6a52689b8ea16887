import { describe, expect, it } from 'vitest';
import { shop } from '../../fixtures/test-kit/actors.ts';
import { openScenario } from '../../fixtures/test-kit/scenario.ts';

const issuesOf = (method: string, target: string, body?: string) => {
  const { error } = openScenario().ask(method, target, body === undefined ? {} : { body });
  return error.issues?.map(({ path, rule }) => `${path} ${rule}`);
};

describe('the issues of an input', () => {
  it('name a broken body and a malformed id of the path both', () => {
    expect(issuesOf('POST', '/connect/accounts/x/posts', '{')).toEqual([' body', '/accountId pattern']);
  });

  it('name the id of the path and fields of the body together', () => {
    const issues = issuesOf('POST', '/connect/accounts/x/reviews/y/reply', '{"text":""}');
    expect(issues?.sort()).toEqual(['/accountId pattern', '/text minLength']);
  });

  it('name a malformed id of the path and an invalid query together', () => {
    expect(issuesOf('GET', '/connect/accounts/x/insights?range=1d')?.sort()).toEqual([
      '/accountId pattern',
      '/range enum',
    ]);
  });

  it.each(['/sites?x=%zz', '/articles?cursor=%c3%28', '/connect/calls/log?limit=5&since=100%'])(
    'name a query that is not percent-encoded UTF-8: %s',
    (target) => {
      expect(issuesOf('GET', target)).toEqual([' encoding']);
    },
  );

  it('point into what is nested', () => {
    const body = JSON.stringify({ text: 'x', media: { imageUrl: 5 } });
    expect(issuesOf('POST', `/connect/accounts/${shop.accountId}/posts`, body)).toEqual(['/media/imageUrl type']);
  });

  it('say in a sentence what is allowed', () => {
    const { error } = openScenario().ask('POST', '/connect/accounts', { body: { provider: 'myspace', label: '' } });
    expect(error.issues?.map(({ message }) => message).sort()).toEqual([
      'label must have at least 1 character.',
      expect.stringMatching(/^provider must be one of google_business, .*google_contacts\.$/),
    ]);
    expect(error.message).toMatch(/ \(and 1 more, see issues\)$/);
  });
});
