// Finds lines in the repository's own files.
import { pathToFileURL } from 'node:url';
import { citedClauses, readSources, type SourceFile } from '../source-files.ts';

export interface Place {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
}

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

/** Where each file cites a clause, by its id or by `x.y.*`, which stands for all below. */
export function citations(files: readonly SourceFile[], clause: string, known: ReadonlySet<string>): Place[] {
  const parents = clause.split('.').map((_, i, parts) => parts.slice(0, i).join('.'));
  const wildcards = parents.filter(Boolean).map((parent) => `${escaped(parent)}\\.\\*`);
  const pattern = new RegExp(`(?<![\\w.])(?:${[`${escaped(clause)}(?![\\w-]|\\.[\\w*])`, ...wildcards].join('|')})`);
  return linesMatching(
    files.filter((file) => citedClauses(file, known).cited.has(clause)),
    pattern,
  );
}

/** Where a check, a rule or a mutant of this name is written down. */
export type Locate = (name: string, clause?: string) => Place | null;

/** Looks for the literal name first; a name that code puts together is looked up in what the files export. */
export async function locator(pattern: string): Promise<Locate> {
  const files = readSources([pattern]).filter(({ path }) => !path.endsWith('.test.ts'));
  const exporters = new Map<string, SourceFile>();
  for (const file of files.filter(({ path }) => !path.endsWith('/index.ts')))
    for (const name of await exportedNames(file)) if (!exporters.has(name)) exporters.set(name, file);
  return (name, clause = name) => {
    const quoted = `'${escaped(name)}'`;
    const declaration = new RegExp(`\\b(?:id|name): ${quoted}|^\\s*${quoted}: |\\(${quoted}|^\\s*\\[${quoted}`, 'm');
    const [declared] = linesMatching(files, declaration);
    const exporter = exporters.get(name);
    if (declared || !exporter) return declared ?? null;
    const line = lineOf(exporter, new RegExp(`${quoted}|'${escaped(clause)}'`)) ?? 1;
    return { path: exporter.path, line };
  };
}

async function exportedNames({ path }: SourceFile): Promise<string[]> {
  const module: Record<string, unknown> = await import(pathToFileURL(path).href);
  return Object.values(module)
    .flat()
    .flatMap((entry) => {
      if (entry === null || typeof entry !== 'object') return [];
      const { id, name } = entry as { id?: unknown; name?: unknown };
      // Mutants stand as rows by name, in groups by clause.
      const rows = Object.values(entry).flatMap((group) => (isRecord(group) ? Object.keys(group) : []));
      return [id, name, ...rows].filter((found) => typeof found === 'string');
    });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
