// The caller: the key, and the address that the address limiter counts. Cites 5.*.

import { type Outcome, ok, reject } from '../domain/outcome.ts';
import type { Organization, World } from '../domain/world.ts';
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

/**
 * The address of X-Forwarded-For when the peer may name one, else the peer's own. Proxies add to the end, so a client
 * can write the first ones: the last public one counts, unless all proxies are trusted. Assumption C52.
 */
export function clientAddress({ headers, peer }: CoreRequest, trustProxy: boolean | null | undefined): string {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined || !(trustProxy || isLoopback(peer))) return plainAddress(peer);
  const named = forwarded.split(',').map((entry) => entry.trim().slice(0, addressLengthMax));
  const [first = ''] = named;
  const address = trustProxy ? first : (named.findLast(isPublic) ?? first);
  return plainAddress(address || peer);
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

// Addresses of this machine and of private networks: loopback, link-local and the ranges that no public host has.
const privateV4 = /^(127|10|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3})+$/;
const privateV6 = /^\[(::1|f[cd][0-9a-f]{2}:[0-9a-f:.]*|fe[89ab][0-9a-f]:[0-9a-f:.]*)\]$/;

/** Names that the public DNS cannot give to anybody. */
function isNearby(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return (name.split('.').length === 4 && privateV4.test(name)) || privateV6.test(name);
}

function isPublic(address: string): boolean {
  return address !== '' && !isLoopback(address) && !isNearby(address) && !isNearby(`[${address}]`);
}

/**
 * Whether a page comes from elsewhere: neither from this machine or its network, nor from one of the known names. An
 * opaque origin (`null`) can be from anywhere. Extensions and desktop applications have their own schemes, which web
 * pages cannot use.
 */
export function isForeignOrigin(origin: string, known: readonly string[] = []): boolean {
  const [, scheme, host = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(origin) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return false;
  const name = nameOf(host);
  return !isNearby(name) && !known.includes(name);
}

/** Whether a page was loaded from the requested host, under a name that outsiders cannot point here. */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  const name = origin.replace(/^https?:\/\//i, '').toLowerCase();
  return name === host?.toLowerCase() && isTrustedHost(name);
}

/** Whether a host, with its port or without, is loopback, an IP address, or one of the known names. */
export function isTrustedHost(host: string, known: readonly string[] = []): boolean {
  const name = nameOf(host);
  return isOwnHost(host, known) || /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name);
}

/** Whether a host, with its port or without, is loopback or one of the known names. */
export function isOwnHost(host: string, known: readonly string[] = []): boolean {
  const name = nameOf(host);
  const isLoopback = /^127(\.\d{1,3}){3}$/.test(name) || name === '[::1]';
  return isLoopback || name === 'localhost' || name.endsWith('.localhost') || known.includes(name);
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}
