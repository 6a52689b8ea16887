// `npm run words`: standard terms everywhere. Texts that users read allow no hit; comments, tests and commit subjects
// have a ratchet in words.json: lower it after a cleanup. `-- --list KIND` prints every hit of a kind.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

type Counts = Readonly<Record<'comments' | 'tests' | 'commits', number>>;

export interface Words {
  readonly rules: readonly { readonly id: string; readonly find: string; readonly use: string }[];
  readonly limits: Readonly<
    Record<'sentence' | 'paragraph' | 'cell' | 'semicolonsPer1000' | 'negationsPer1000', number>
  >;
  readonly ratchet: Counts;
}

/** `text` is read by users, `comment` and `test` by contributors. */
type Kind = 'text' | 'comment' | 'test';

interface Prose {
  readonly kind: Kind;
  readonly line: number;
  readonly text: string;
}

type Hit = Omit<Prose, 'text'> & { readonly path: string; readonly message: string };

const count = (text: string) => (text.match(/[A-Za-z0-9'’_./-]+/g) ?? []).length;

/** Returns every hit in one file. `words-ok` on a line excuses it, for quotations of the contract. */
export function findHits(path: string, source: string, words: Words): Hit[] {
  const lines = source.split('\n');
  const prose = proseOf(path, source).filter(({ line }) => !/words-ok/.test(lines[line - 1] ?? ''));
  const hits = prose.flatMap(({ kind, line, text }) =>
    words.rules.flatMap(({ find, use }) =>
      [...text.matchAll(new RegExp(find, 'g'))].map(([hit]) => {
        return { kind, path, line, message: `"${hit.trim()}": use ${use}` };
      }),
    ),
  );
  return path.endsWith('.md') ? [...hits, ...lengths(path, prose, words.limits)] : hits;
}

function lengths(path: string, prose: readonly Prose[], limits: Words['limits']): Hit[] {
  const hits: Hit[] = [];
  const add = (line: number, message: string) => hits.push({ kind: 'text', path, line, message });
  let paragraph: Prose[] = [];
  const flush = () => {
    const text = paragraph.map((each) => each.text).join(' ');
    const line = paragraph[0]?.line ?? 1;
    if (count(text) > limits.paragraph) add(line, `${count(text)} words in a paragraph, at most ${limits.paragraph}`);
    for (const sentence of text.split(/(?<=[.!?:])\s+(?=[A-Z*[])/))
      if (count(sentence) > limits.sentence) add(line, `${count(sentence)} words: "${sentence.slice(0, 50)}..."`);
    paragraph = [];
  };
  for (const each of prose) {
    const isProse = each.text.trim() !== '' && !/^\s*(#|\||!\[|<)/.test(each.text);
    if (!isProse || /^\s*([-*]|\d+\.) /.test(each.text)) flush();
    if (isProse) paragraph.push(each);
    for (const cell of each.text.startsWith('|') ? each.text.split('|') : [])
      if (count(cell) > limits.cell) add(each.line, `${count(cell)} words in a table cell, at most ${limits.cell}`);
  }
  flush();
  const all = prose.map(({ text }) => text).join(' ');
  const density = (name: string, pattern: RegExp, most: number) => {
    const per1000 = (1000 * (all.match(pattern) ?? []).length) / count(all);
    if (count(all) > 200 && per1000 > most) add(1, `${per1000.toFixed(1)} ${name} per 1,000 words, at most ${most}`);
  };
  density('semicolons', /;/g, limits.semicolonsPer1000);
  density('negations', /\b(not|no|never|none|nothing|nobody|neither|nor|without|cannot)\b/gi, limits.negationsPer1000);
  return hits;
}

export function findSubjectHits(subjects: readonly string[]): string[] {
  return subjects.filter((subject) => subject.length > 72 || subject.includes(';'));
}

const advice = {
  comments: 'Delete or reword the new comments: `npm run words -- --list comment`.',
  tests: 'Reword the new titles: `npm run words -- --list test`.',
  commits: 'Amend the new subjects: at most 72 characters, one change, no semicolon.',
};

/** Returns a sentence for each ratchet that a count exceeds. A shallow clone has fewer commits, so it passes too. */
export function exceededRatchets(counts: Counts, ratchet: Counts): string[] {
  const exceeded = (['comments', 'tests', 'commits'] as const).filter((name) => counts[name] > ratchet[name]);
  return exceeded.map((name) => `${counts[name]} hits in ${name}, ${ratchet[name]} allowed. ${advice[name]}`);
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

function main(listed: string | undefined): void {
  const words: Words = JSON.parse(readFileSync(new URL('./words.json', import.meta.url), 'utf8'));
  const kinds = ['*.md', '*.txt', '*.ts', '*.tsx', '*.yaml', '*.schema.json', 'action.yml'];
  const skipped = /generated\/|reference\/cli\.md|^examples\/.*lock|THIRD-PARTY|worlds\/themes\.ts/;
  const paths = git('ls-files', '-co', '--exclude-standard', ...kinds).filter((path) => !skipped.test(path));
  const hits = paths.filter(existsSync).flatMap((path) => findHits(path, readFileSync(path, 'utf8'), words));
  const of = (kind: Kind) => hits.filter((hit) => hit.kind === kind);
  for (const { path, line, message } of of((listed ?? 'text') as Kind)) console.log(`${path}:${line}  ${message}`);
  const [texts, comments, tests] = [of('text').length, of('comment').length, of('test').length];
  const commits = findSubjectHits(git('log', '--format=%s')).length;
  console.log(`${texts} hits in texts, ${comments} in comments, ${tests} in tests, ${commits} in commits`);
  const problems = exceededRatchets({ comments, tests, commits }, words.ratchet);
  if (texts > 0) problems.push('Texts for users must have no hits: reword the lines above.');
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

function withoutCode(text: string): string {
  const prose = text.replace(/`[^`]*`/g, 'CODE');
  return prose.replace(/\]\([^)]*\)/g, ']').replace(/https?:\S+/g, 'URL');
}

function proseOf(path: string, source: string): Prose[] {
  const lines = source.split('\n');
  if (/\.(md|txt)$/.test(path)) return markdown(lines);
  if (/\.ya?ml$/.test(path)) return yaml(lines);
  if (path.endsWith('.json')) return schema(lines);
  return /\.tsx?$/.test(path) ? typescript(path, lines) : [];
}

function markdown(lines: readonly string[]): Prose[] {
  let isCode = false;
  return lines.flatMap((text, index) => {
    if (text.trimStart().startsWith('```')) {
      isCode = !isCode;
      return [];
    }
    return isCode ? [] : [{ kind: 'text' as const, line: index + 1, text: withoutCode(text) }];
  });
}

// Descriptions and interpretations; quotations of the contract (`quote`, `text`) keep its words. A value continues
// on all following lines that are indented deeper than its key.
const described =
  /^(\s*)(?:- )?(?:fact|title|description|summary|means|why|says|shows|R\d+):\s+(?![{&*])["']?(.+?)["']?$/;
const describedInline = /[{,] *(?:description|summary): *(?:"([^"]*)"|'([^']*)'|([^'",}]+))/g;

function yaml(lines: readonly string[]): Prose[] {
  let indent = Number.POSITIVE_INFINITY;
  return lines.flatMap((source, index) => {
    const [, margin, first] = described.exec(source) ?? [];
    const depth = source.search(/\S/);
    const isContinued = first === undefined && depth > indent;
    if (depth >= 0 && !isContinued) indent = margin?.length ?? Number.POSITIVE_INFINITY;
    const inline = [...source.matchAll(describedInline)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
    const texts = first !== undefined ? [first.replace(/^[|>]-?$/, '')] : isContinued ? [source.trim()] : inline;
    return texts.map((text) => ({ kind: 'text' as const, line: index + 1, text: withoutCode(text) }));
  });
}

function schema(lines: readonly string[]): Prose[] {
  const texts = lines.map((line) => /"(?:description|title)": "(.+)"/.exec(line)?.[1] ?? '');
  return texts.map((text, index) => ({ kind: 'text', line: index + 1, text: withoutCode(text) }));
}

const commentLine = /^\s*(?:\{?\/\*\*?|\/\/|\*(?!\/))\s?(.+?)(?:\*\/\}?)?$/;
const literal = /(['"`])((?:(?!\1)[^\\]|\\.){8,}?)\1/g;
const isSentence = /[a-z,] [a-z'’]+[ .,]/i;

function typescript(path: string, lines: readonly string[]): Prose[] {
  const isTest = /\.test\.tsx?$/.test(path) || /^(proof|fixtures)\//.test(path);
  return lines.flatMap((source, index): Prose[] => {
    const line = index + 1;
    const whole = commentLine.exec(source)?.[1];
    if (whole !== undefined) return [{ kind: 'comment', line, text: withoutCode(whole) }];
    const trailing = /(?:^|\s)\/\/ (.+)$/.exec(source.replace(literal, '""'))?.[1] ?? '';
    const texts = [...source.matchAll(literal)].map((match) => (match[2] ?? '').replace(/\$\{[^}]*\}/g, 'X'));
    if (path.endsWith('.tsx')) texts.push(...betweenTags(source));
    const sentences = texts.filter((text) => isSentence.test(text) && !/[{}]|=>|^[./]/.test(text));
    return [
      { kind: 'comment', line, text: withoutCode(trailing) },
      ...sentences.map((text): Prose => ({ kind: isTest ? 'test' : 'text', line, text: withoutCode(text) })),
    ];
  });
}

function betweenTags(source: string): string[] {
  const text = source.replace(/<[^>]*>/g, ' ').replace(/\{[^}]*\}/g, ' X ');
  return /[={};()]|=>|^\s*(import|export|const|return|type|interface)\b/.test(text) ? [] : [text.trim()];
}

if (process.argv[1]?.endsWith('words.ts')) main(process.argv[process.argv.indexOf('--list') + 1 || Number.NaN]);
