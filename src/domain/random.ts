// A small seeded generator (the public-domain "mulberry32" recurrence), so the same seed and the same requests
// give the same bytes. Its whole state is one integer, which a snapshot keeps.

/** Every id, token and draw of the mock comes from one of these; nothing asks the system for chance. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number;
  /** Version 4, lower case: within the pattern of the account ids. Cites 2.create-post-input.account-id-pattern. */
  uuid(): string;
  /** `length` digits in lower case. */
  hex(length: number): string;
  /** The whole state, for snapshots. */
  position(): number;
  restore(position: number): void;
}

const digitCodes = [...'0123456789abcdef'].map((digit) => digit.charCodeAt(0));
/** Of the text that is being made; the list is used again. */
const codes: number[] = [];

/** Two generators with one seed give the same numbers in the same order; only the lower 32 bits of the seed count. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    return scramble(state);
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  const hex = (length: number): string => {
    // At once: a text that grows by letters is kept as a chain of its parts, and ids are kept for long.
    codes.length = length;
    for (let i = 0; i < length; i += 1) codes[i] = digitCodes[below(16)] as number;
    return String.fromCharCode.apply(null, codes);
  };
  return {
    next,
    below,
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[below(4)]}${hex(3)}-${hex(12)}`,
    position: () => state,
    restore(position) {
      state = position >>> 0;
    },
  };
}

/** An id of sixteen hexadecimal digits by two draws, where twenty thousand by sixteen draws each would take a while. */
export function drawId(beginning: string, random: Random): string {
  const at = beginning.length;
  codes.length = at + 16;
  for (let i = 0; i < at; i += 1) codes[i] = beginning.charCodeAt(i);
  for (let i = 0, bits = 0; i < 16; i += 1) {
    bits = i % 8 === 0 ? random.below(2 ** 32) : bits >>> 4;
    codes[at + i] = digitCodes[bits & 15] as number;
  }
  return String.fromCharCode.apply(null, codes);
}

/** A number from 0 up to 1 that depends on only the given text: the same text always gives the same number. */
export function hashToUnit(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return scramble(hash >>> 0);
}

/** Mixes the bits so neighbouring states, or hashes of similar texts, give numbers far apart. */
function scramble(value: number): number {
  let t = value;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}
