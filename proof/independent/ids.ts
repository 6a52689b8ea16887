// Ids that follow from a name, and the two patterns of UUIDs that the contract distinguishes (R10).
import { createHash } from 'node:crypto';

const anyUuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const inputUuid =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-(?:0{4}-){3}0{12}|f{8}-(?:f{4}-){3}f{12})$/i;

/** Any UUID, of any version and variant. */
export function isUuid(text: string): boolean {
  return anyUuid.test(text);
}

/** The pattern of `accountId` in the inputs of posts and replies: versions 1 to 8, all zero, all f. */
export function isInputUuid(text: string): boolean {
  return inputUuid.test(text);
}

/** UUIDs have no case. */
export function sameId(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** 64 hexadecimal characters, always the same for a seed. */
export function hexOf(seed: string): string {
  return createHash('sha256').update(seed).digest('hex');
}

/** A UUID that depends on the seed alone. */
export function uuidOf(seed: string, version: number): string {
  const hex = hexOf(seed);
  const nibble = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4] ?? '8';
  const digits = `${hex.slice(0, 12)}${version}${hex.slice(13, 16)}${nibble}${hex.slice(17, 32)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export type IdCase = 'lower' | 'upper' | 'mixed';

/** Hex digits have no case: "mixed" writes a record's own id in capitals and references to it small. */
export function writeId(id: string, style: IdCase, reference = false): string {
  if (style === 'upper' || (style === 'mixed' && !reference)) return id.toUpperCase();
  return id;
}
