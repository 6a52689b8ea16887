// The repository's own sources, for the tests and reports that read them.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

const root = new URL('../', import.meta.url);

export function readSources(patterns: readonly string[]): SourceFile[] {
  const paths = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
  return paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('/generated/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }));
}

/** Returns the files of this repository that a file imports, as paths from the root. */
export function ownImports({ path, text }: SourceFile): string[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g);
  return [...found].map((match) => new URL(match[1] as string, `file:///${path}`).pathname.slice(1));
}

/** Returns the Node modules and packages that a file imports. */
export function outerImports({ text }: SourceFile): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'".][^'"]*)['"]/g)].map((match) => match[1] as string);
}

/** Clause ids that a file names: in `Cites a, b.` comments, where `x.*` means all below, and as quoted ids. */
export function citedClauses(
  { text }: SourceFile,
  known: ReadonlySet<string>,
): { cited: Set<string>; unknown: Set<string> } {
  const cited = new Set<string>();
  const unknown = new Set<string>();
  const flowing = text.replace(/\n\s*(\/\/|\*)/g, ' ');
  for (const match of flowing.matchAll(/\bCites ((?:[\s,]*[1-9]\.(?:[a-z0-9-]+|\*)(?:\.(?:[a-z0-9-]+|\*))*)+)/g)) {
    for (const id of (match[1] as string).split(/[\s,]+/).filter(Boolean)) {
      const named = id.endsWith('.*') ? [...known].filter((other) => other.startsWith(id.slice(0, -1))) : [id];
      if (named.length === 0) unknown.add(id);
      for (const one of named) (known.has(one) ? cited : unknown).add(one);
    }
  }
  for (const match of text.matchAll(/'([1-9]\.[a-z][\w.-]*)'/g))
    if (known.has(match[1] as string)) cited.add(match[1] as string);
  return { cited, unknown };
}

/** Returns the names of files below the folder that are missing, or have another text. */
export function findDrift(folder: URL, files: ReadonlyMap<string, string>): string[] {
  const isDrifted = (file: URL, text: string) => !existsSync(file) || readFileSync(file, 'utf8') !== text;
  return [...files].filter(([name, text]) => isDrifted(new URL(name, folder), text)).map(([name]) => name);
}

/** Writes the files that differ. With `--check`, prints their names with the advice instead, and the process fails. */
export function writeDrift(folder: URL, files: ReadonlyMap<string, string>, advice: string): void {
  const drifted = findDrift(folder, files);
  if (process.argv.includes('--check')) {
    if (drifted.length === 0) return;
    console.error(`${drifted.join(', ')}: ${advice}`);
    process.exitCode = 1;
    return;
  }
  for (const file of drifted.map((name) => [new URL(name, folder), files.get(name) ?? ''] as const)) {
    mkdirSync(new URL('./', file[0]), { recursive: true });
    writeFileSync(...file);
  }
}
