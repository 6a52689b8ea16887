import { describe, expect, it } from 'vitest';
import { findNearMisses } from './near-miss.ts';

const id = '0d9f4c2e-1111-4222-8333-444455556666';

describe('findNearMisses', () => {
  it.each([
    ['GET', '/articles', 'listArticles', 'The path has to start with /api/v1.'],
    ['GET', '/api/v1/article', 'listArticles', 'The path is spelt differently.'],
    ['GET', '/api/v1/Articles', 'listArticles', 'Paths are written in lower case.'],
    ['GET', `/api/v1/articles/${id}/`, 'getArticle', 'The path ends in a slash too many.'],
    ['GET', '/api/v1/articles/%zz', 'getArticle', 'A path value is badly percent-encoded.'],
    ['POST', `/api/v1/connect/accounts//${id}/posts`, 'createPost', 'A path value is empty.'],
    ['GET', `/api/v1/article/${id}`, 'getArticle', 'The path is spelt differently.'],
    ['GET', '/api/v1/connect/account', 'listAccounts', 'The path is spelt differently.'],
    ['POST', '/api/v1/connect/account', 'createConnectLink', 'The path is spelt differently.'],
    ['DELETE', '/api/v1/sites', 'listSites', 'The method is GET, not DELETE.'],
    ['GET', `/api/v1/connect/accounts/${id}/posts`, 'createPost', 'The method is POST, not GET.'],
    ['GET', '/api/v1/connect/calls', 'listCalls', 'The path is spelt differently.'],
    [
      'GET',
      '/connect/calls/logs',
      'listCalls',
      'The path has to start with /api/v1, and the path is spelt differently.',
    ],
  ])('for %s %s finds %s first: %s', (method, path, operation, why) => {
    expect(findNearMisses(method, path)[0]).toMatchObject({ operation, why });
  });

  it.each(['/', '/favicon.ico', '/api/v1/this/has/nothing/to/do/with/it/at/all'])('finds none for %s', (path) => {
    expect(findNearMisses('GET', path)).toEqual([]);
  });

  it('gives three at most and stays quick on absurd paths', () => {
    expect(findNearMisses('GET', `/api/v1/${'articles'.repeat(10_000)}`).length).toBeLessThanOrEqual(3);
    expect(findNearMisses('GET', '/api/v1/sites').length).toBeLessThanOrEqual(3);
  });
});
