// Links, accounts and posts.
import { admit, checkPayment } from './admit.ts';
import { copy, integer, objectWith, oneOf, optional, readBody, text, uri } from './checks.ts';
import { invalid } from './errors.ts';
import { hexOf, uuidOf } from './ids.ts';
import {
  type Account,
  type ApiRequest,
  type Context,
  extra,
  type HttpResponse,
  type Invite,
  type Org,
  providers,
  showId,
  showPlain,
} from './types.ts';

/** The contract names no lifetime; three days, where the mock has seven. */
const linkLifeMs = 72 * 3_600_000;

/** Every success of the connect family: `data` and `summary`, both always there. */
export function success(context: Context, data: unknown, summary: string): HttpResponse {
  return { status: 200, body: { data, summary, ...extra(context, 'outer') } };
}

/** Counted, so the same requests give the same ids. */
function nextId(context: Context, kind: string): string {
  context.world.counter += 1;
  const seed = `${kind}/${context.world.counter}`;
  return context.variant.oddPlainIds ? `${kind}:${hexOf(seed).slice(0, 8)}` : uuidOf(seed, context.variant.idVersion);
}

const linkRules = { label: text(80), provider: oneOf(providers), maxAccounts: optional(integer(1, 20)) };

/** POST /connect/accounts: a single-use link, pending until it expires. */
export function createLink(context: Context, req: ApiRequest): HttpResponse {
  const { body, issues } = readBody(req, context, linkRules);
  for (const stage of context.variant.precedence) {
    if (stage === 'payment') checkPayment(req.org, true);
    if (stage === 'schema' && issues.length > 0) throw invalid(issues);
  }
  const { provider, label, maxAccounts } = { ...body, maxAccounts: body.maxAccounts ?? 1 } as unknown as Invite;
  const invite = { id: nextId(context, 'invite'), provider, label, maxAccounts, expires: req.at + linkLifeMs };
  req.org.invites.push(invite);
  const data = {
    connectUrl: `https://connect.invalid/l/${hexOf(invite.id).slice(0, 24)}`,
    expiresAt: showPlain(context, invite.expires),
    provider: invite.provider,
    label: invite.label,
  };
  return success(context, data, `One link for ${invite.label}`);
}

/** Extra fields one level deep: R12 allows only warnings about them. */
function showAccount(context: Context, account: Account): Record<string, unknown> {
  return {
    accountId: showId(context, account.id),
    provider: account.provider,
    label: account.label,
    name: account.name,
    status: account.status,
    locked: account.locked,
    connectedAt: account.connected === null ? null : showPlain(context, account.connected),
    ...extra(context, 'deep'),
  };
}

/** The contract does not say what moves it (R30); `number` need not be whole (R15). */
function showBilling(context: Context, org: Org): Record<string, unknown> {
  const connected = org.accounts.filter((account) => account.status === 'connected').length;
  const free = Math.min(connected, 2);
  const share = context.variant.fractions ? 0.5 : 0;
  return {
    connected,
    free,
    billable: connected - free + share,
    needsPayment: org.paymentStopped || org.accounts.some((account) => account.locked),
    ...extra(context, 'deep'),
  };
}

/** GET /connect/accounts: accounts, invites that are still open, billing. */
export function listAccounts(context: Context, req: ApiRequest): HttpResponse {
  const invites = req.org.invites.filter((invite) => invite.expires > req.at);
  const data = {
    accounts: req.org.accounts.map((account) => showAccount(context, account)),
    pendingInvites: invites.map((invite) => ({
      id: showId(context, invite.id),
      label: invite.label,
      provider: invite.provider,
      maxAccounts: invite.maxAccounts,
      expiresAt: showPlain(context, invite.expires),
      ...extra(context, 'deep'),
    })),
    billing: showBilling(context, req.org),
  };
  return success(context, data, `${data.accounts.length} accounts`);
}

const postRules = {
  accountId: copy,
  text: text(5000),
  link: optional(uri),
  media: optional(objectWith('imageUrl', uri)),
};

export function createPost(context: Context, req: ApiRequest): HttpResponse {
  const { body, issues } = readBody(req, context, postRules);
  const account = admit(context, req, { operation: 'post', writes: true, issues });
  const id = nextId(context, 'post');
  req.org.posts.push({ id, accountId: account.id, text: String(body.text), at: req.at });
  const permalink = context.variant.permalink === 'null' ? null : `https://posts.invalid/${encodeURIComponent(id)}`;
  return success(context, { postId: id, permalink }, 'Published');
}
