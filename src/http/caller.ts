// The caller: the key, and the address that the address limiter counts. Cites 5.*.

import { type Outcome, ok, reject } from '../domain/outcome.ts';
import type { Organization, World } from '../domain/world.ts';
import { isForeignOrigin } from './host-name.ts';
import type { CoreRequest } from './message.ts';

/** A caller whose key was accepted; what it may see is its organization. Cites 5.key-organization. */
export interface Caller {
  readonly key: string;
  readonly organization: Organization;
}

// Nearly always it is the last one again.
let knownHeader = '';
let knownKey: string | null = null;

/** The key as sent, whether good or not; null when the header has none. The scheme's case is free (assumption C51). */
export function bearerKey({ authorization = '' }: CoreRequest['headers']): string | null {
  if (authorization !== knownHeader) {
    knownHeader = authorization;
    knownKey = /^bearer +([^\s]+) *$/i.exec(authorization)?.[1] ?? null;
  }
  return knownKey;
}

/** Cites 5.missing-key, 5.invalid-key, 5.revoked-key: a missing, invalid or revoked key returns 401 `unauthorized`. */
export function authenticate(key: string | null, world: World): Outcome<Caller> {
  if (key === null) {
    return reject({ code: 'unauthorized', message: 'Send an API key: Authorization: Bearer <API_KEY>.' });
  }
  const entry = world.keys.get(key);
  if (!entry) return reject({ code: 'unauthorized', message: 'The API key is not valid.' });
  if (entry.revoked) return reject({ code: 'unauthorized', message: 'The API key was revoked.' });
  return ok({ key, organization: entry.organization });
}

/** The first address of X-Forwarded-For when the peer may name one, else the peer's own. Assumption C52. */
export function clientAddress({ headers, peer }: CoreRequest, trustProxy: boolean | null | undefined): string {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined || !(trustProxy || isLoopback(peer))) return plainAddress(peer);
  const [first = ''] = forwarded.split(',', 1);
  return plainAddress(first.trim().slice(0, addressLengthMax) || peer);
}

/** Returns scheme and host of a request to a proxy, from its headers; null without usable ones. */
export function forwardedOrigin(headers: CoreRequest['headers'], origin: string): string | null {
  const first = (name: string) => headers[name]?.split(',', 1)[0]?.trim();
  const [proto, host] = [first('x-forwarded-proto'), first('x-forwarded-host')];
  if (proto === undefined && host === undefined) return null;
  const [ownProto = 'http', ownHost = ''] = origin.split('://');
  const forwarded = `${proto ?? ownProto}://${host ?? ownHost}`.toLowerCase();
  // Connect links are built on it, so only a host may get into them.
  return /^https?:\/\/(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?$/.test(forwarded) ? forwarded : null;
}

/**
 * The window that a request spends. A request without a key that a page from elsewhere had the browser send counts
 * apart: any page in the world can have an image loaded from here ten times, and the developer at this machine would be
 * locked out of the mock. With a key it counts as every other request; a page needs permission from the browser to send
 * one.
 */
export function addressBucket({ headers }: CoreRequest, address: string): string {
  const { authorization, origin, 'sec-fetch-site': site } = headers;
  if (authorization !== undefined) return address;
  const isForeign = origin === undefined ? site === 'cross-site' : isForeignOrigin(origin);
  return isForeign ? `pages at ${address}` : address;
}

/** An IPv6 address with its zone is shorter. Longer header values are cut here. */
const addressLengthMax = 64;

/** 127.0.0.0/8 and ::1, mapped forms included. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain === '::1' || plain.startsWith('127.');
}

// Assumption C136: an IPv4-mapped address is the IPv4 one, and hexadecimal has no case.
function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.toLowerCase();
}
