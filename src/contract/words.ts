export type Split<Text extends string> = Text extends `${infer First} ${infer Rest}` ? [First, ...Split<Rest>] : [Text];

/** The words of a text, with their literal types: a list of names on few lines. */
export function words<const Text extends string>(text: Text): Split<Text> {
  return text.split(' ') as Split<Text>;
}
