import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const documents = globSync(['*.md', 'docs/*.md', 'skills/**/*.md', 'llms.txt', 'examples/*/*.md'], { cwd: root }).map(
  (name) => {
    return { name, text: readFileSync(new URL(name, root), 'utf8') };
  },
);
const { files } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] as string);
const isThere = (path: string) => existsSync(new URL(path, root));

/** Paths from the root, of what a document of this name links to. */
const linked = (name: string, text: string) =>
  all(text, /\]\((?!https?:|#)([^)#]+)/g).map((link) =>
    new URL(link, new URL(name, root)).pathname.slice(root.pathname.length),
  );

describe.each(documents)('$name', ({ name, text }) => {
  it('links to files that exist, in the package too', () => {
    const links = linked(name, text);
    expect(links.filter((link) => !isThere(link))).toEqual([]);
    const inside = (files as string[]).map((path) => `${path}/**/*.{md,yaml}`);
    const packed = new Set(globSync([...files, ...inside], { cwd: root }));
    expect(links.filter((link) => !packed.has(link) && !/\/$/.test(link))).toEqual([]);
  });

  // What an example names is its own.
  const home = name.startsWith('examples/') ? new URL('./', new URL(name, root)) : root;

  it('names files and folders that exist', () => {
    const paths = all(text, /`((?:src|conformance|proof|spec|fixtures|\.ci|\.github)\/[\w./-]*)`/g);
    const literal = paths.filter((path) => !/NN|[A-Z]{4}/.test(path));
    expect(literal.filter((path) => !existsSync(new URL(path, home)))).toEqual([]);
  });

  it('names scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8'));
    const names = all(text, /npm run (?:-s )?([a-z][\w:]*)/g);
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});
