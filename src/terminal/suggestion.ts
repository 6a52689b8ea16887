// "Did you mean": the known word that is the fewest typing errors away.

/** The nearest word, or null when none is near enough to be what was meant. */
export function nearest(word: string, known: readonly string[]): string | null {
  const ranked = known
    .map((candidate) => ({ candidate, distance: typingErrors(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3)) ? best.candidate : null;
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(word: string, known: readonly string[], spell = (name: string) => `"${name}"`): string {
  const found = nearest(word, known);
  return found === null ? '' : ` Did you mean ${spell(found)}?`;
}

/** The commands of both programs. */
export const commandNames = {
  casa: ['mock', 'try', 'parity', 'seed', 'mutants', 'mcp', 'ctl', 'health'],
  conformance: ['mcp', 'har', 'calibrate', 'diff', 'replay', 'verify', 'dispute', 'trend'],
} as const;

/** Returns the message for an unknown command. If the other program has this command, the message names it. */
export function unknownCommand(program: keyof typeof commandNames, word: string): string {
  const other = program === 'casa' ? 'conformance' : 'casa';
  const known: readonly string[] = commandNames[program];
  const isOfOther = (commandNames[other] as readonly string[]).includes(word);
  const hint = isOfOther ? ` Did you mean "${other} ${word}"?` : didYouMean(word, known);
  return `Unknown command "${word}".${hint} Commands: ${known.join(', ')}.`;
}

// Letters inserted, left out, replaced, or swapped with their neighbor.
export function typingErrors(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped ? at(i - 2, j - 2) + 1 : replaced));
    }
  }
  return at(a.length, b.length);
}
