/** The same list. Throws where two of its items share a name: the later one would silently replace the other. */
export function unique<const Items extends readonly unknown[]>(
  kind: string,
  items: Items,
  nameOf: (item: Items[number]) => string,
): Items {
  const names = new Set<string>();
  for (const name of items.map(nameOf)) {
    if (names.has(name)) throw new Error(`There are two ${kind} "${name}": each name is unique and never reused.`);
    names.add(name);
  }
  return items;
}
