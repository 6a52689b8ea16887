// The digest of a report or a recording: it reveals an edit, but not one that also writes the digest again.

import { createHash } from 'node:crypto';
import { canonical } from '../exchange/canonical.ts';

/** Independent of spaces and of the order of the fields. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(canonical(JSON.parse(JSON.stringify(value))))
    .digest('hex');
}

/** The value with its digest as the last field. */
export function sealed<Value extends object>(value: Value): Value & { readonly digest: string } {
  return { ...value, digest: digestOf(value) };
}

/** Whether a sealed value still has its digest. */
export function isSealed({ digest, ...rest }: Readonly<Record<string, unknown>>): boolean {
  return digest === digestOf(rest);
}
