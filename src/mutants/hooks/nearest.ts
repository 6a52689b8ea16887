// Which names may have been meant: those that share most of their words with what was typed, or nearly all of its
// letters.

/** At most three names, the nearest first. */
export function nearestNames(typed: string, names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, likeness: likeness(typed.toLowerCase(), name) }))
    .filter((candidate) => candidate.likeness >= 0.5)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, 3)
    .map(({ name }) => name);
}

// Dice's coefficient over pairs of letters: a slip costs two pairs wherever it happens, and so does a missing hyphen.
function likeness(a: string, b: string): number {
  const [left, right] = [pairsOf(a), pairsOf(b)];
  const rest = [...right];
  const shared = left.filter((pair) => {
    const at = rest.indexOf(pair);
    if (at !== -1) rest.splice(at, 1);
    return at !== -1;
  });
  return (2 * shared.length) / Math.max(1, left.length + right.length);
}

/** Each letter with the one after it. */
function pairsOf(word: string): string[] {
  return Array.from({ length: Math.max(0, word.length - 1) }, (_, i) => word.slice(i, i + 2));
}
