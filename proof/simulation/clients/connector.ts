// Makes connect links, lets customers consent, and lists accounts. A link is single-use and ends with its expiry.
// Cites 3.link.single-use, 4.connect.create-link.*, 4.connect.list-accounts.*; assumption C29.
import type { ConnectAccountOutput, Provider } from '../../../src/contract/generated/types.ts';
import { parseTimestampMs } from '../../../src/contract/timestamps.ts';
import { providerActions } from '../../../src/domain/actions.ts';
import {
  type Client,
  type Context,
  hourMs,
  type Identity,
  minuteMs,
  once,
  pause,
  pick,
  politely,
  repeat,
  type Session,
} from '../client.ts';
import { codeOf, hold } from '../exchange.ts';
import type { KnownLink, KnownOrganization } from '../ledger.ts';

/** Maximum of accounts of an organization: longer lists would only be slower. */
const accountsMax = 60;

/** Requests the list before and after each step, because only the list shows what a step did. */
export function connector(name: string, identity: Identity): Client {
  const { organization } = identity;
  const session = repeat(20, 8 * 60, function* (ctx) {
    yield* list(ctx);
    if (organization.accounts.length >= accountsMax) return;
    const token = yield* makeLink(ctx, organization);
    yield* list(ctx);
    if (token === null) return;
    // Some customers come at once, some days later, some never.
    yield* pause(pick(ctx.chance, [0, minuteMs, 30 * hourMs, 8 * 24 * hourMs]));
    yield* consent(ctx, organization, token);
    yield* list(ctx);
  });
  return { ...identity, name, polite: true, session };
}

const list = (ctx: Context): Session<unknown> =>
  politely(ctx, { operation: 'listAccounts', path: '/connect/accounts' });

/** Returns the token of the new link, or null when it was rejected, as for an organization that does not pay. */
function* makeLink(ctx: Context, organization: KnownOrganization): Session<string | null> {
  const { chance } = ctx;
  const provider = pick(chance, Object.keys(providerActions) as Provider[]);
  // At most the 80 characters that a label may have.
  const label = `Customer ${chance.hex(6)} ${'é'.repeat(pick(chance, [0, 20, 64]))}`;
  const maxAccounts = pick(chance, [undefined, 1, 2, 5, 20]);
  const body = { provider, label, maxAccounts };
  const beforeMs = ctx.nowMs();
  const path = '/connect/accounts';
  const apiResponse = yield* once(ctx, { operation: 'createConnectLink', method: 'POST', path, body });
  const code = codeOf(apiResponse);
  if (apiResponse.response.status !== 200) {
    const isRight = code !== 'invalid_input' && (code !== 'payment_required' || organization.payment !== 'ok');
    hold('rejections', isRight, `a valid request for a link got ${code}`);
    return null;
  }
  const { connectUrl, expiresAt, ...shown } = apiResponse.json.data as ConnectAccountOutput;
  const message = `a link for ${provider} ${label} is ${JSON.stringify(apiResponse.json.data)}`;
  hold('accounts', shown.provider === provider && shown.label === label && organization.payment === 'ok', message);
  const expiresAtMs = parseTimestampMs(expiresAt) ?? 0;
  hold('time', expiresAtMs > beforeMs, message);
  const token = connectUrl.split('/').at(-1) ?? '';
  organization.links.set(token, { provider, label, maxAccounts: maxAccounts ?? 1, expiresAtMs, used: false });
  return token;
}

/** Twice with the same names: a link that the first visit used up has to reject the second. */
function* consent(ctx: Context, { accounts, links }: KnownOrganization, token: string): Session {
  const { chance } = ctx;
  const link = links.get(token) as KnownLink;
  const count = 1 + chance.below(link.maxAccounts + 1);
  const names = Array.from({ length: count }, (_, i) => `Name ${chance.hex(4)} ${i}`);
  const body = new URLSearchParams(names.map((name) => ['name', name])).toString();
  for (const turn of ['first', 'second'] as const) {
    const sent = { operation: null, method: 'POST', path: `/connect/${token}`, body, key: null };
    const { response, nowMs } = yield* once(ctx, sent);
    const isOpen = !link.used && nowMs < link.expiresAtMs;
    const expected = !isOpen ? 410 : count > link.maxAccounts ? 400 : 200;
    const message = `the ${turn} consent with ${count} names of ${link.maxAccounts} got ${response.status}, not ${expected}`;
    hold('accounts', response.status === expected, message);
    if (response.status !== 200) continue;
    link.used = true;
    const { provider, label } = link;
    const state = { status: 'connected', locked: false, trouble: null, posts: 0, reviews: null } as const;
    for (const name of names) accounts.push({ accountId: null, provider, label, name, connectedAtMs: nowMs, ...state });
  }
}
