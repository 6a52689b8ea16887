// A body may repeat the ids of the path; the path wins and the copy is ignored. A copy that differs is most often a
// mistake of the client, so the journal tells of it. Cites 4.rules.path-wins.

const decoder = new TextDecoder();

/** Names of body members that say something else than the path. */
export function findIgnoredCopies(path: Readonly<Record<string, string>>, body: Uint8Array | null): string[] {
  const names = Object.keys(path);
  if (!body || names.length === 0) return [];
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(body));
  } catch {
    return [];
  }
  if (value === null || typeof value !== 'object') return [];
  const members = value as Record<string, unknown>;
  return names.filter((name) => Object.hasOwn(members, name) && !isSame(members[name], path[name] as string));
}

// Ids are compared as the service compares them: the case of a UUID means nothing.
function isSame(copy: unknown, id: string): boolean {
  return typeof copy === 'string' && copy.toLowerCase() === id.toLowerCase();
}
