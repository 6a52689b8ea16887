// API keys of the built-in and the generated worlds. They depend on the organization's number alone, so that a client
// keeps its key when it changes the world. They open nothing but a mock. Cites 5.key-form.
import type { KeyData } from '../domain/world-data.ts';

const wellKnown: readonly string[] = ['0123456789abcdef0123456789abcdef', 'fedcba9876543210fedcba9876543210'];

/** The good key of an organization, counted from 1. */
function goodKey(organizationNumber: number): string {
  return `casa_${wellKnown[organizationNumber - 1] ?? organizationNumber.toString(16).padStart(32, '0')}`;
}

/** A key that was good once and is revoked: 401 `unauthorized`. Cites 5.revoked-key. */
const revokedKey = 'casa_deadbeefdeadbeefdeadbeefdeadbeef';

/** `organizationNumber` counts from 1. The first has a revoked key as well. */
export function organizationKeys(organizationNumber: number): KeyData[] {
  const good: KeyData = { key: goodKey(organizationNumber), label: 'Main', revoked: false };
  return organizationNumber === 1 ? [good, { key: revokedKey, label: 'Revoked', revoked: true }] : [good];
}
