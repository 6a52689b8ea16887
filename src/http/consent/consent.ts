// The page behind `connectUrl`, where a customer's client connects its accounts. It takes no key and counts in no
// window (assumption C95). A link is single-use and expires on the clock. Cites 3.link.single-use,
// 4.connect.create-link.endpoint.
import type { ConsentChange, LinkChange } from '../../domain/change.ts';
import { finishConsent, type Link, linkState } from '../../domain/links.ts';
import type { Organization, World } from '../../domain/world.ts';
import { count } from '../../terminal/count.ts';
import type { CoreRequest, CoreResponse } from '../message.ts';
import {
  type ConsentPage,
  connectedPage,
  deniedPage,
  expiredPage,
  formPage,
  plainPage,
  readWayBack,
  renderPage,
  usedPage,
  type Way,
} from './consent-page.ts';

const formBytesMax = 65_536;
const nameLengthMax = 80;
const utf8 = new TextDecoder('utf-8');

/** Decides and changes nothing; the caller makes the change. */
export interface ConsentResponse {
  readonly response: CoreResponse;
  /** The change that a finished session or an expired link asks for, else null. Nothing has been changed yet. */
  readonly change: ConsentChange | LinkChange | null;
}

/** The response to a request for a consent page; null when the request is for something else. */
export function serveConsent(request: CoreRequest, world: World): ConsentResponse | null {
  const token = consentToken(request.path);
  if (token === null) return null;
  const found = findLink(world, token);
  const { method } = request;
  if (found && method === 'POST') return finish(found, request, world);
  return { response: showPage(found, request, world.clock.now()), change: null };
}

/** Looking at the page uses no link up, so a preview in a chat does no harm. */
function showPage(found: Found | null, { method, query }: CoreRequest, nowMs: number): CoreResponse {
  if (!found) return renderPage(plainPage('unknown'), 404);
  if (method === 'GET' || method === 'HEAD') return showLink(found, readWayBack(query), nowMs);
  return renderPage(plainPage('method'), 405, { allow: 'GET, HEAD, POST' });
}

/**
 * The token of `/connect/{token}`, or null for any other path. The pages are not part of the API, so not under its
 * path.
 */
export function consentToken(path: string): string | null {
  return /^\/connect\/([^/]+)\/?$/.exec(path)?.[1] ?? null;
}

interface Found {
  readonly organization: Organization;
  readonly link: Link;
}

/** Searched in every organization: the token alone is the secret, and the page takes no key. */
function findLink(world: World, token: string): Found | null {
  for (const organization of world.organizations.values()) {
    const link = organization.links.get(token);
    if (link) return { organization, link };
  }
  return null;
}

function showLink({ organization, link }: Found, way: Way, nowMs: number): CoreResponse {
  const state = linkState(link, nowMs);
  if (state === 'open') return renderPage(formPage(link, { organization: organization.name, nowMs, way }), 200);
  return renderPage(closedPage(state, { organization, link }, way), 410);
}

/** 410 for both: a link that is closed never opens again. */
function closedPage(state: 'used' | 'expired', { organization, link }: Found, way: Way): ConsentPage {
  const names = link.accountIds.map((id) => organization.accounts.get(id.toLowerCase())?.name ?? 'an account');
  return state === 'used' ? usedPage(link, names, way) : expiredPage(link, way);
}

// Single use: the caller makes the change before anything else can happen, so two posts cannot both succeed.
function finish(found: Found, request: CoreRequest, world: World): ConsentResponse {
  const { organization, link } = found;
  const nowMs = world.clock.now();
  const reject = (response: CoreResponse): ConsentResponse => ({ response, change: null });
  const way = readWayBack(request.query);
  if (linkState(link, nowMs) !== 'open') return reject(showLink(found, way, nowMs));
  if ((request.body?.length ?? 0) > formBytesMax) return reject(renderPage(plainPage('too_large'), 413));
  const { names, end } = parseConsent(request.body);
  if (end === 'deny') return reject(renderPage(deniedPage(link, way), 200));
  if (end === 'expire') return expire(found, way, nowMs);
  const problem = namesProblem(names, link);
  if (problem !== null) {
    return reject(renderPage(formPage(link, { organization: organization.name, nowMs, names, problem, way }), 400));
  }
  const consent = finishConsent(link, { names, random: world.random, nowMs });
  return {
    response: renderPage(connectedPage(link, consent.accounts, way), 200),
    change: { kind: 'consent', organizationId: organization.id, ...consent },
  };
}

/** For people who want to see how an app copes: the link is as if its time had come. */
function expire({ organization, link }: Found, way: Way, nowMs: number): ConsentResponse {
  const expired = { ...link, expiresAtMs: nowMs };
  return {
    response: renderPage(expiredPage(expired, way), 410),
    change: { kind: 'link', organizationId: organization.id, link: expired },
  };
}

export interface Sent {
  /** Empty fields are left out. */
  readonly names: readonly string[];
  /** The button, when it was another than the one that connects. */
  readonly end: string | null;
}

function parseConsent(body: Uint8Array | null): Sent {
  const form = new URLSearchParams(body ? utf8.decode(body) : '');
  const names = form.getAll('name').map((name) => name.trim());
  return { names: names.filter((name) => name !== ''), end: form.get('end') };
}

function namesProblem(names: readonly string[], { maxAccounts }: Link): string | null {
  if (names.length === 0) return 'Enter the name of at least one account.';
  if (names.length > maxAccounts) {
    return `This link connects at most ${count(maxAccounts, 'account')}. You entered ${names.length}.`;
  }
  if (names.some((name) => [...name].length > nameLengthMax)) {
    return `A name has at most ${nameLengthMax} characters. Shorten the longer names.`;
  }
  return null;
}
