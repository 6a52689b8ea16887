// Lists of names: written on few lines, and each name once.

export type Split<Text extends string> = Text extends `${infer First} ${infer Rest}` ? [First, ...Split<Rest>] : [Text];

/** `listSites` as `list-sites`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The words of a text, with their literal types: a list of names on few lines. */
export function words<const Text extends string>(text: Text): Split<Text> {
  return text.split(' ') as Split<Text>;
}

/** The items by a key, in their order. */
export function grouped<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

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
