// Ids as the contract lets one compare them: which texts are UUIDs, which can hardly be shared by chance, and which are
// equal.
import { parseTimestamp } from '../../src/contract/timestamps.ts';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** A text of a record that cannot be its id; another text where it is empty or a UUID itself. */
export function noUuid(text: unknown): string {
  return typeof text === 'string' && text !== '' && !isUuid(text) ? text : 'no-uuid';
}

const longMin = 16;

/**
 * Whether a text can hardly be the same in two organizations by chance: a UUID but the all-zero and the all-f one, or
 * another long name. Numbers from one on, timestamps and addresses can (interpretation R9, R34).
 */
export function isUniqueName(text: unknown): boolean {
  if (typeof text !== 'string' || /^([0f])\1{7}(-\1{4}){3}-\1{12}$/i.test(text)) return false;
  if (isUuid(text)) return true;
  return text.length >= longMin && !/[\s/]/.test(text) && parseTimestamp(text) === null;
}

/** Hex digits have no case (interpretation R9). */
export function sameId(left: unknown, right: unknown): boolean {
  return typeof left === 'string' && typeof right === 'string' && left.toLowerCase() === right.toLowerCase();
}

/** The same UUID in upper case, or in lower case if it is in upper case. */
export function otherCase(id: string): string {
  return id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase();
}
