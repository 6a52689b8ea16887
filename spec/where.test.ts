import { describe, expect, it } from 'vitest';
import { type Found, find } from './where/find.ts';
import { readPackages } from './where/packages.ts';
import { formatResponse } from './where.ts';

const packages = await readPackages();

const pathsOf = (found: readonly Found[], kind: string) =>
  found.filter((place) => place.kind === kind).map(({ path }) => path);

describe('where', () => {
  it.each([
    ['8.post-text', 'src/http/handlers.ts', 'conformance/checks/posts/written.ts'],
    ['4.calls.exactly-once', 'src/domain/calls.ts', 'conformance/checks/calls/walk.ts'],
    ['5.limiter-before-key', 'src/http/service.ts', 'conformance/checks/limits/address-burst.ts'],
  ])('finds for %s its behavior, check, mutants, test and assumption', (clause, behaviour, check) => {
    const { found } = find(clause, packages);
    expect(pathsOf(found, 'behaviour')).toContain(behaviour);
    expect(pathsOf(found, 'check')).toContain(check);
    expect(pathsOf(found, 'mutant').every((path) => path.startsWith('src/mutants/'))).toBe(true);
    expect(pathsOf(found, 'mutant').length).toBeGreaterThan(0);
    expect(pathsOf(found, 'test').length).toBeGreaterThan(0);
    expect(pathsOf(found, 'assumption')).toContain('spec/assumptions.md');
  });

  it('finds for a check its file, its clauses and its mutants', () => {
    const { title, found } = find('posts/text-edges', packages);
    expect(title).toBe('posts/text-edges  (check)');
    expect(found[0]).toMatchObject({ kind: 'check', path: 'conformance/checks/posts/written.ts' });
    expect(found.filter(({ kind }) => kind === 'clause').map(({ name }) => name)).toContain('8.post-text');
    expect(pathsOf(found, 'mutant')).toContain('src/mutants/02-fields.ts');
  });

  it('takes a rule whose name code puts together', () => {
    const { found } = find('rule/list-sites-shape', packages);
    expect(pathsOf(found, 'rule')).toEqual(['conformance/rules/shapes.ts']);
  });

  it('takes a mutant, also a generated one, and names the checks of its clause', () => {
    const own = find('post-text-5001-accepted', packages).found;
    expect(own[0]).toMatchObject({ kind: 'mutant', path: 'src/mutants/02-fields.ts' });
    expect(own.map(({ name }) => name)).toContain('posts/text-edges');
  });

  it('takes a choice and an interpretation in either case', () => {
    const assumption = find('c29', packages);
    expect(assumption.found[0]).toMatchObject({ kind: 'assumption', path: 'spec/assumptions.md', name: 'C29' });
    const interpretation = find('R29', packages);
    expect(interpretation.found.map(({ name }) => name)).toEqual(expect.arrayContaining(['C29', '3.link.single-use']));
  });

  it('finds every check, rule and mutant in a file', () => {
    const lost = packages.entries.filter(({ name, about, locate }) => locate(name, about[0]) === null);
    expect(lost.map(({ kind, name }) => `${kind} ${name}`)).toEqual([]);
  });

  it.each([
    ['8.post-txt', 'Did you mean "8.post-text"?'],
    ['posts/text-edge', 'Did you mean "posts/text-edges"?'],
    ['8.import', 'Clauses below it:\n  8.import.'],
    ['R999', 'is called "R999"'],
  ])('says of %s what may be meant', (name, hint) => {
    expect(() => find(name, packages)).toThrow(hint);
  });

  it('prints places as path:line, one a row', () => {
    const [title, fact, , first] = formatResponse(find('8.post-text', packages)).split('\n');
    expect(title).toBe('8.post-text  (stated; 8 Limits, row Post text)');
    expect(fact).toBe('  The `text` of a post has 1 to 5000 characters.');
    expect(first).toMatch(/^contract +spec\/clauses\.yaml:\d+$/);
  });
});
