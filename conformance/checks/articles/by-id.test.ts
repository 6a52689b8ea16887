import { describe } from 'vitest';
import { type Spoil, testResults, withRows } from '../../../fixtures/test-kit/check-tests.ts';
import { type Exchanged, rejection } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { sites } from '../sites/sites.ts';
import { articleById } from './by-id.ts';
import { articles } from './list.ts';
import { articlePages } from './pages.ts';

const options = { checks: [...articlePages, ...articleById], run: { watch: true } } as const;
const missing = rejection(404, 'not_found');
const isList = ({ path, status }: Exchanged) => path === '/articles' && status === 200;
const isOne = ({ path }: Exchanged) => path.startsWith('/articles/');
const isFound = (one: Exchanged) => isOne(one) && one.status === 200;

const differing = (fields: object) => () => (one: Exchanged) =>
  isFound(one) ? withRows(one, { ...one.body.data, ...fields }) : undefined;

describe('the checks of single articles', () => {
  const inSmallLetters = () => (one: Exchanged) => (/[A-F]/.test(one.path) ? missing : undefined);
  const breaking = () => {
    let isBroken = false;
    return (one: Exchanged) => {
      isBroken ||= isFound(one);
      return isBroken ? (isOne(one) ? missing : rejection(500, 'internal')) : undefined;
    };
  };
  testResults(options, [
    ['warn of a server that knows ids in small letters only', 'articles/capitals', 'warn', inSmallLetters],
    ['do not blame other users for a server error', 'articles/by-id', 'inconclusive(platform)', breaking],
  ]);
});

describe('an article by its id that differs from the list', () => {
  const row = (title: string, result: string, spoil: () => Spoil) => [title, 'articles/by-id', result, spoil] as const;
  testResults(options, [
    row('in its title', 'fail', differing({ title: 'other' })),
    row('in its createdAt', 'fail', differing({ createdAt: '2001-01-01T00:00:00Z' })),
    row('in its siteId', 'fail', differing({ siteId: '00000000-0000-4000-8000-000000000001' })),
    row('in its updatedAt, both of them old', 'fail', differing({ updatedAt: '2001-01-01T00:00:00Z' })),
    row('in its missing targetKeyword', 'pass', differing({ targetKeyword: undefined })),
    row('in its seoScore', 'pass', differing({ seoScore: 1 })),
    row('in its seoScore, which is null', 'warn', differing({ seoScore: null })),
    row('and a stale list still shows it', 'warn', differing({ title: 'new', updatedAt: '2026-05-01T11:59:59Z' })),
  ]);
});

/** Only the articles of the first page can be read by their ids. */
const onlyFirst = () => {
  let first: readonly string[] = [];
  return (one: Exchanged) => {
    if (isList(one) && first.length === 0) first = one.body.data.map(({ id }: { id: string }) => id);
    return isFound(one) && !first.includes(one.body.data.id) ? missing : undefined;
  };
};

/** Articles by their ids are of the first site. */
const ofFirstSite = () => {
  let siteId: string | undefined;
  return (one: Exchanged) => {
    const sites = one.path === '/sites' ? [...one.body.data.slice(1), one.body.data[0]] : [];
    if (sites.length > 0) siteId = sites[0].id;
    if (sites.length > 0) return withRows(one, sites);
    return isFound(one) && siteId ? withRows(one, { ...one.body.data, siteId }) : undefined;
  };
};

describe('an article by its id', () => {
  const checks = [...articles, ...articleById];
  testResults({ checks, variant: { articleCount: 130 }, run: { requests: 60 } }, [
    ['is one that only a page of its site has shown', 'articles/by-id', 'fail', onlyFirst],
  ]);
  for (const seed of [0, 1, 2, 3])
    testResults({ checks: [...checks, ...sites], run: { requests: 60, seed } }, [
      [`is preferably not of the first site, with seed ${seed}`, 'articles/by-id', 'fail', ofFirstSite],
    ]);
});
