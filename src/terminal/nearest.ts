/** The closest of some names, or null when none is close. */
export function nearest(name: string, names: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.ceil(name.length / 2));
  for (const candidate of names) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, right] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (left === right ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
