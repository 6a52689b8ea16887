const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A text of a record that can be no id of it; another where it is empty or a UUID itself. */
export function noUuid(text: unknown): string {
  return typeof text === 'string' && text !== '' && !UUID.test(text) ? text : 'no-uuid';
}

/** Hex digits have no case (rulings R9). */
export function sameId(left: unknown, right: unknown): boolean {
  return typeof left === 'string' && typeof right === 'string' && left.toLowerCase() === right.toLowerCase();
}
