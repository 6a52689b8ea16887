// Finds lines in the repository's own files.
import { pathToFileURL } from 'node:url';
import { citedClauses, readSources, type SourceFile } from '../source-files.ts';

/** A line of a file, as editors and terminals link it. */
export interface Place {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Returns the line of the first match, or null. */
export function lineOf({ text }: SourceFile, pattern: RegExp): number | null {
  const at = text.search(pattern);
  return at === -1 ? null : text.slice(0, at).split('\n').length;
}

export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The first line of each file that matches. */
export function linesMatching(files: readonly SourceFile[], pattern: RegExp): Place[] {
  return files.flatMap((file) => {
    const line = lineOf(file, pattern);
    return line === null ? [] : [{ path: file.path, line }];
  });
}

/** Caches the citations of each file, because a search for all clauses would read every file many times. */
const cited = new WeakMap<SourceFile, ReadonlySet<string>>();

function citedIn(file: SourceFile, known: ReadonlySet<string>): ReadonlySet<string> {
  const found = cited.get(file) ?? citedClauses(file, known).cited;
  cited.set(file, found);
  return found;
}

/** Where each file cites a clause, by its id or by `x.y.*`, which includes all below. */
export function citations(files: readonly SourceFile[], clause: string, known: ReadonlySet<string>): Place[] {
  const parents = clause.split('.').map((_, i, parts) => parts.slice(0, i).join('.'));
  const wildcards = parents.filter(Boolean).map((parent) => `${escaped(parent)}\\.\\*`);
  const pattern = new RegExp(`(?<![\\w.])(?:${[`${escaped(clause)}(?![\\w-]|\\.[\\w*])`, ...wildcards].join('|')})`);
  return linesMatching(
    files.filter((file) => citedIn(file, known).has(clause)),
    pattern,
  );
}

/** Where a check, a rule or a mutant of this name is written down. */
export type Locate = (name: string, clause?: string) => Place | null;

/** Searches for the literal name first, then for computed names in the exports of the files. */
export async function locator(pattern: string): Promise<Locate> {
  const files = readSources([pattern]).filter(({ path }) => !path.endsWith('.test.ts'));
  const declared = declarations(files);
  const exporters = new Map<string, SourceFile>();
  for (const file of files.filter(({ path }) => !path.endsWith('/index.ts')))
    for (const name of await exportedNames(file)) if (!exporters.has(name)) exporters.set(name, file);
  return (name, clause = name) => {
    const literal = declared.get(name);
    const exporter = exporters.get(name);
    if (literal || !exporter) return literal ?? null;
    const line = lineOf(exporter, new RegExp(`'(?:${escaped(name)}|${escaped(clause)})'`)) ?? 1;
    return { path: exporter.path, line };
  };
}

/** Every literal that a file may declare: an id, a name or a field before the first argument of a call. */
function declarations(files: readonly SourceFile[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const pattern of [/\b(?:id|name): '([^'\n]+)'|^\s*'?([\w-]+)'?: [[{]?$/gm, /[([]'([^'\n]+)'/g]) {
    for (const { path, text } of files) {
      for (const match of text.matchAll(pattern)) {
        const name = match[1] ?? match[2] ?? '';
        if (places.has(name)) continue;
        const before = text.slice(0, match.index + match[0].indexOf(name));
        places.set(name, { path, line: before.split('\n').length });
      }
    }
  }
  return places;
}

async function exportedNames({ path }: SourceFile): Promise<string[]> {
  const module: Record<string, unknown> = await import(pathToFileURL(path).href);
  return Object.values(module).flatMap(namesIn);
}

/** The names in a list of checks, rules or mutants, in a single one, and in a table of mutants by clause. */
function namesIn(exported: unknown): string[] {
  if (Array.isArray(exported)) return exported.flatMap(namesIn);
  if (typeof exported !== 'object' || exported === null) return [];
  const { id, name } = exported as { id?: unknown; name?: unknown };
  const own = [id, name].filter((found) => typeof found === 'string');
  if (own.length > 0) return own;
  return Object.values(exported).flatMap((rows) =>
    typeof rows === 'object' && rows !== null ? Object.keys(rows) : [],
  );
}
