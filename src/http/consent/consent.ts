// The page behind `connectUrl`, where a customer's client connects its accounts. It takes no key and counts in no window
// (choice C95). A link is single-use and expires on the clock. Cites 3.link.single-use, 4.connect.create-link.endpoint.
import { finishConsent, type Link, linkState } from '../../domain/links.ts';
import type { Organization, World } from '../../domain/world.ts';
import type { CoreRequest, CoreResponse } from '../message.ts';
import { connectedPage, expiredPage, formPage, type Page, plainPage, renderPage, usedPage } from './consent-page.ts';

/** Where the consent pages live; the token follows. Not under the base path: it is no part of the API. */
export const consentPath = '/connect/';

const formBytesMax = 65_536;
const nameLengthMax = 80;
const utf8 = new TextDecoder('utf-8');

/** The answer to a request for a consent page; null when the request is for something else. */
export function serveConsent(request: CoreRequest, world: World): CoreResponse | null {
  const token = consentToken(request.path);
  if (token === null) return null;
  const found = findLink(world, token);
  if (!found) return renderPage(plainPage('unknown'), 404);
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return showLink(found, world.clock.now());
  if (method === 'POST') return finish(found, request, world);
  return renderPage(plainPage('method'), 405, { allow: 'GET, HEAD, POST' });
}

/** Whether a served consent request changed the world, so that a store has to keep it. */
export function changedByConsent({ method }: CoreRequest, { status }: CoreResponse): boolean {
  return method === 'POST' && status === 200;
}

/** The token of `/connect/{token}`, or null for any other path. */
export function consentToken(path: string): string | null {
  return /^\/connect\/([^/]+)\/?$/.exec(path)?.[1] ?? null;
}

interface Found {
  readonly organization: Organization;
  readonly link: Link;
}

function findLink(world: World, token: string): Found | null {
  for (const organization of world.organizations.values()) {
    const link = organization.links.get(token);
    if (link) return { organization, link };
  }
  return null;
}

function showLink({ organization, link }: Found, nowMs: number): CoreResponse {
  const state = linkState(link, nowMs);
  if (state === 'open') return renderPage(formPage(link, { organization: organization.name, nowMs }), 200);
  return renderPage(closedPage(state, { organization, link }), 410);
}

function closedPage(state: 'used' | 'expired', { organization, link }: Found): Page {
  const names = link.accountIds.map((id) => organization.accounts.get(id.toLowerCase())?.name ?? 'an account');
  return state === 'used' ? usedPage(link, names) : expiredPage(link);
}

// Single use: the check of the state and the use are one synchronous step, so two posts cannot both succeed.
function finish(found: Found, request: CoreRequest, world: World): CoreResponse {
  const { organization, link } = found;
  const nowMs = world.clock.now();
  if (linkState(link, nowMs) !== 'open') return showLink(found, nowMs);
  if ((request.body?.length ?? 0) > formBytesMax) return renderPage(plainPage('too_large'), 413);
  const names = parseConsent(request.body);
  const problem = namesProblem(names, link);
  if (problem !== null) {
    return renderPage(formPage(link, { organization: organization.name, nowMs, names, problem }), 400);
  }
  const accounts = finishConsent(organization, link, { names, random: world.random, nowMs });
  return renderPage(connectedPage(link, accounts), 200);
}

/** The names that a form sends; empty fields are none. */
export function parseConsent(body: Uint8Array | null): string[] {
  const form = new URLSearchParams(body ? utf8.decode(body) : '');
  return form
    .getAll('name')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function namesProblem(names: readonly string[], { maxAccounts }: Link): string | null {
  if (names.length === 0) return 'Name at least one account to connect.';
  if (names.length > maxAccounts) {
    return `This link connects at most ${maxAccounts} account${maxAccounts === 1 ? '' : 's'}; ${names.length} were named.`;
  }
  if (names.some((name) => [...name].length > nameLengthMax)) {
    return `A name has at most ${nameLengthMax} characters; shorten the long one.`;
  }
  return null;
}
