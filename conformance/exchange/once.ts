/** Creates a value for an object on first use; it is released with the object. */
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
