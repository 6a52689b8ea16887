// Makes connect links, lets customers consent, and lists accounts. A link is single-use and ends with its expiry.
// Cites 3.link.single-use, 4.connect.create-link.*, 4.connect.list-accounts.*; choice C29.
import type { ConnectAccountOutput, Provider } from '../../../src/contract/generated/types.ts';
import { parseInstantMs } from '../../../src/contract/instants.ts';
import { providerActions } from '../../../src/domain/providers.ts';
import {
  between,
  type Cast,
  type Client,
  hourMs,
  type Life,
  minuteMs,
  once,
  pause,
  pick,
  politely,
  type Stage,
} from '../client.ts';
import { codeOf } from '../exchange.ts';
import type { KnownLink, KnownOrganization } from '../ledger.ts';
import { hold } from '../violation.ts';

/** An organization that has so many accounts connects no more: lists would only grow slower. */
const accountsMax = 60;

/** Asks for the list before and after each step, because only the list shows what a step did. */
export function connector(name: string, cast: Cast): Client {
  const { organization } = cast;
  return {
    ...cast,
    name,
    polite: true,
    *life(stage) {
      for (;;) {
        yield* pause(between(stage.chance, 20 * minuteMs, 8 * hourMs));
        yield* list(stage);
        if (organization.accounts.length >= accountsMax) continue;
        const token = yield* makeLink(stage, organization);
        yield* list(stage);
        if (token === null) continue;
        // Some customers come at once, some days later, some never.
        const waitMs = pick(stage.chance, [0, minuteMs, 30 * hourMs, 8 * 24 * hourMs]);
        yield* pause(waitMs);
        yield* consent(stage, organization, token);
        yield* list(stage);
      }
    },
  };
}

const list = (stage: Stage): Life<unknown> => politely(stage, { operation: 'listAccounts', path: '/connect/accounts' });

/** The token of the new link, or null when it was refused, as an organization that does not pay is. */
function* makeLink(stage: Stage, organization: KnownOrganization): Life<string | null> {
  const { chance } = stage;
  const provider = pick(chance, Object.keys(providerActions) as Provider[]);
  // At most the 80 characters that a label may have.
  const label = `Customer ${chance.hex(6)} ${'é'.repeat(pick(chance, [0, 20, 64]))}`;
  const maxAccounts = pick(chance, [undefined, 1, 2, 5, 20]);
  const body = { provider, label, maxAccounts };
  const draft = { operation: 'createConnectLink', method: 'POST', path: '/connect/accounts', body } as const;
  const beforeMs = stage.nowMs();
  const answer = yield* once(stage, draft);
  if (answer.response.status !== 200) {
    const isRight =
      codeOf(answer) !== 'invalid_input' && (codeOf(answer) !== 'payment_required' || organization.payment !== 'ok');
    hold('refusals', isRight, () => `a good wish for a link was answered with ${codeOf(answer)}`);
    return null;
  }
  const { connectUrl, expiresAt, ...shown } = answer.json.data as ConnectAccountOutput;
  const told = () => `a link for ${provider} ${label} was answered with ${JSON.stringify(answer.json.data)}`;
  hold('accounts', shown.provider === provider && shown.label === label && organization.payment === 'ok', told);
  const expiresAtMs = parseInstantMs(expiresAt) ?? 0;
  hold('time', expiresAtMs > beforeMs, told);
  const token = connectUrl.split('/').at(-1) ?? '';
  organization.links.set(token, { provider, label, maxAccounts: maxAccounts ?? 1, expiresAtMs, used: false });
  return token;
}

/** Twice with the same names: a link that the first visit used up has to refuse the second. */
function* consent(stage: Stage, { accounts, links }: KnownOrganization, token: string): Life {
  const { chance } = stage;
  const link = links.get(token) as KnownLink;
  const count = 1 + chance.below(link.maxAccounts + 1);
  const names = Array.from({ length: count }, (_, i) => `Name ${chance.hex(4)} ${i}`);
  const form = new URLSearchParams(names.map((name) => ['name', name])).toString();
  const draft = { operation: null, method: 'POST', path: `/connect/${token}`, body: form, key: null } as const;
  for (const turn of ['first', 'second'] as const) {
    const { response, nowMs } = yield* once(stage, draft);
    const isOpen = !link.used && nowMs < link.expiresAtMs;
    const expected = !isOpen ? 410 : count > link.maxAccounts ? 400 : 200;
    const told = () =>
      `the ${turn} consent with ${count} names of ${link.maxAccounts} answered ${response.status}, not ${expected}`;
    hold('accounts', response.status === expected, told);
    if (response.status !== 200) continue;
    link.used = true;
    for (const name of names) {
      const { provider, label } = link;
      const state = { status: 'connected', locked: false, trouble: null, posts: 0, reviews: null } as const;
      accounts.push({ accountId: null, provider, label, name, connectedAtMs: nowMs, ...state });
    }
  }
}
