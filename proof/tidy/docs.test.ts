import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reportKinds } from '../../conformance/report/reporter.ts';

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

/** As the forge makes them of headings. */
const marksOf = (text: string) =>
  all(text, /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('docs/reports.md', () => {
  it('has a heading for each kind of report', () => {
    const { text } = documents.find(({ name }) => name === 'docs/reports.md') ?? { text: '' };
    const headings = { html: 'html', json: 'json', junit: 'junit', sarif: 'sarif', md: 'markdown', har: 'har' };
    expect(Object.keys(headings).sort()).toEqual([...reportKinds].sort());
    expect(Object.values(headings).filter((mark) => !marksOf(text).includes(mark))).toEqual([]);
  });
});

describe.each(documents)('$name', ({ name, text }) => {
  it('links to files that exist, in the package too', () => {
    const links = linked(name, text);
    expect(links.filter((link) => !isThere(link))).toEqual([]);
    const inside = (files as string[]).map((path) => `${path}/**/*.{md,yaml}`);
    const packed = new Set(globSync([...files, ...inside], { cwd: root }));
    expect(links.filter((link) => !packed.has(link) && !/\/$/.test(link))).toEqual([]);
  });

  it('links to headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
    const broken = links.filter(([, path = '', mark = '']) => {
      const place = path === '' ? name : new URL(path, new URL(name, root)).pathname.slice(root.pathname.length);
      const target = documents.find((one) => one.name === place);
      return target !== undefined && !marksOf(target.text).includes(mark);
    });
    expect(broken.map(([whole]) => whole)).toEqual([]);
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
