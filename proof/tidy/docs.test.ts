import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const documents = globSync('*.md', { cwd: root }).map((name) => {
  return { name, text: readFileSync(new URL(name, root), 'utf8') };
});
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] as string);
const isThere = (path: string) => existsSync(new URL(path, root));

describe.each(documents)('$name', ({ text }) => {
  it('links to files that exist', () => {
    const links = all(text, /\]\((?!https?:|#)([^)#]+)/g);
    expect(links.filter((link) => !isThere(link))).toEqual([]);
  });

  it('names files and folders that exist', () => {
    const paths = all(text, /`((?:src|conformance|proof|spec|fixtures|\.ci|\.github)\/[\w./-]*)`/g);
    const literal = paths.filter((path) => !/NN|[A-Z]{4}/.test(path));
    expect(literal.filter((path) => !isThere(path))).toEqual([]);
  });

  it('names scripts that package.json has', () => {
    const names = all(text, /npm run (?:-s )?([a-z][\w:]*)/g);
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});
