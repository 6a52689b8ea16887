export type Split<Text extends string> = Text extends `${infer First} ${infer Rest}` ? [First, ...Split<Rest>] : [Text];

/** `listSites` as `list-sites`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The words of a text, with their literal types: a list of names on few lines. */
export function words<const Text extends string>(text: Text): Split<Text> {
  return text.split(' ') as Split<Text>;
}
