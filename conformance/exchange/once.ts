/** Makes what belongs to one thing once, when it is first asked for; it is forgotten with the thing. */
export function oncePer<Thing extends object, Rest extends readonly unknown[], Made>(
  make: (thing: Thing, ...rest: Rest) => Made,
): (thing: Thing, ...rest: Rest) => Made {
  const made = new WeakMap<Thing, { readonly value: Made }>();
  return (thing, ...rest) => {
    const known = made.get(thing) ?? { value: make(thing, ...rest) };
    made.set(thing, known);
    return known.value;
  };
}
