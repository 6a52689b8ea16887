// Texts and ids of posts, replies and links, as a run sends them.
import { labelLength, postTextLength, replyTextLength } from '../../src/contract/generated/limits.ts';
import type { History } from './history.ts';
import { isUuid } from './same-id.ts';

export const textMax = { post: postTextLength.max, reply: replyTextLength.max, label: labelLength.max } as const;

/** Servers normalize it: a capital letter with a separate accent, markup, two blanks, a joiner, a blank at the end. */
export const unusualText = 'E\u0301 <b>&amp;  \u200D ';

/** One character by any definition, and two bytes in UTF-8, which reveals a server that counts bytes (R11). */
export function wideText(characters: number): string {
  return 'é'.repeat(characters);
}

/** Each text names the run that wrote it. */
export function markOf({ given }: Pick<History, 'given'>): string {
  return `casa-kit conformance ${given.runId}`;
}

/** Whether a stored text is only the beginning of the one that was sent; blanks and accents may be normalized. */
export function isCut(sent: string, stored: unknown): boolean {
  if (typeof stored !== 'string') return false;
  const texts = [sent, stored.replace(/(?:\.{3}|\u2026)\s*$/, '')];
  const [whole = '', part = ''] = texts.map((text) => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim());
  return part !== '' && part.length < whole.length && whole.startsWith(part);
}

/** A UUID with another version and variant digit. Cites 2.create-post-input.account-id-pattern. */
export function versioned(id: string, [version = '4', variant = '8']: string): string {
  return `${id.slice(0, 14)}${version}${id.slice(15, 19)}${variant}${id.slice(20)}`;
}

/** The id of a real account with one digit changed, so it is malformed; null for an id that is not a UUID. */
export function malformedFrom(id: string, digit: 'version' | 'variant'): string | null {
  if (!isUuid(id)) return null;
  return digit === 'version' ? `${id.slice(0, 14)}9${id.slice(15)}` : `${id.slice(0, 19)}c${id.slice(20)}`;
}
