// The first lines of `casa mock`: its address, the keys, the accounts that cause each error, and one line to try.
import type { Account } from '../domain/accounts.ts';
import { providerActions } from '../domain/actions.ts';
import type { Organization, World } from '../domain/world.ts';
import type { CorsSetting } from '../http/cors.ts';
import type { Paint } from '../terminal/paint.ts';
import { visible } from '../terminal/visible.ts';

/** The contents of the banner; texts of the user's files are made visible here. */
export interface BannerOptions {
  readonly version: string;
  readonly baseUrl: string;
  readonly origin: string;
  readonly world: World;
  /** Pages of which origins may read responses. */
  readonly cors: CorsSetting;
  /** Name of the built-in world, or the path of the file. */
  readonly worldName: string;
  /** The active profile, one phrase each. */
  readonly profile: readonly string[];
  readonly notices: readonly string[];
  /** Further base URLs, with the words that say for whom. */
  readonly others?: readonly string[];
  readonly paint: Paint;
}

/** Ends with a blank line, because the log of requests follows. */
export function banner(options: BannerOptions): string {
  const { baseUrl, origin, world, worldName, profile, notices, paint } = options;
  const first = [...world.keys].find(([, { revoked }]) => !revoked)?.[0] ?? '<key>';
  const lines = [
    '',
    `${paint('bold', 'casa mock')} ${paint('dim', options.version)}`,
    '',
    `  Base URL   ${paint('green', baseUrl)}`,
    ...(options.others ?? []).map((line) => `             ${line}`),
    `  MCP        ${origin}/mcp`,
    `  Dashboard  ${origin}/__admin`,
    `  World      ${visible(worldName)}`,
    ...profile.map((phrase, i) => `  ${i === 0 ? 'Settings' : '        '}   ${visible(phrase)}`),
    `  CORS       ${visible(describeCors(options.cors))}`,
    `  Clock      ${new Date(world.clock.now()).toISOString()}${world.clock.frozen ? ' (frozen)' : ''}`,
    '',
    ...[...world.organizations.values()].slice(0, organizationsShown).flatMap((each) => describe(each, world, paint)),
    '  Try',
    `    curl -H "Authorization: Bearer ${visible(first)}" "${baseUrl}/articles?limit=3"`,
    '',
    ...notices.map((notice) => `  ${paint('yellow', 'Note')}  ${visible(notice)}`),
    ...(notices.length > 0 ? [''] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Says how to change it, since the default is open. */
function describeCors(cors: CorsSetting): string {
  if (cors === true) return 'all origins (restrict them with --cors-origin or --no-cors)';
  if (cors === false) return 'off';
  return cors.join(', ');
}

const organizationsShown = 3;
const accountsShown = 20;

/** At most three organizations and twenty accounts each: a banner has to fit a screen. */
function describe(organization: Organization, { behavior }: World, paint: Paint): string[] {
  const { name, id, keys, payment } = organization;
  const paid = payment === 'ok' ? '' : paint('yellow', `  ${payment}: writes return 402`);
  const accounts = worthKnowing([...organization.accounts.values()], organization);
  const width = Math.max(0, ...accounts.map(({ account }) => `${account.provider} ${account.status}`.length));
  return [
    `  ${paint('bold', visible(name))} ${paint('dim', `(${visible(id)})`)}${paid}`,
    ...keys.map(
      ({ key, label, revoked }) =>
        `    key  ${visible(key)}  ${visible(label)}${revoked ? paint('yellow', ': returns 401') : ''}`,
    ),
    ...accounts.map(
      ({ account, effect }) =>
        `    ${visible(idInCase(account.accountId, behavior.idCase))}  ${`${account.provider} ${account.status}`.padEnd(width)}  ${effect}`,
    ),
    '',
  ];
}

/** As responses write it, so it can be copied and compared. */
function idInCase(id: string, idCase: World['behavior']['idCase']): string {
  return idCase !== 'lower' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id.toUpperCase() : id;
}

/** All accounts, or one for each kind of failure if they do not fit a screen. */
function worthKnowing(
  accounts: readonly Account[],
  organization: Pick<Organization, 'payment'>,
): { readonly account: Account; readonly effect: string }[] {
  const all = accounts.map((account) => ({ account, effect: effectOf(account, organization.payment) }));
  if (all.length <= accountsShown) return all;
  const kinds = new Map<string, (typeof all)[number]>();
  for (const each of all) {
    const kind = `${each.account.provider} ${each.account.status} ${each.effect}`;
    if (!kinds.has(kind)) kinds.set(kind, each);
  }
  return [...kinds.values()].slice(0, accountsShown);
}

// The rejections that a request to this account meets, in the order of the mock's checks. Assumption C28 and C30.
function effectOf({ status, trouble, locked, provider }: Account, payment: Organization['payment']): string {
  if (status === 'pending_api_access') return '403 provider_permission';
  if (status !== 'connected') return '401 provider_auth';
  if (trouble) return troubleResponses[trouble];
  const actions = providerActions[provider];
  const offered = actions.length === 0 ? '400 not_supported' : actions.join(', ');
  return locked || payment !== 'ok' ? `${offered}; writes return 402 payment_required` : offered;
}

const troubleResponses = {
  provider_error: '502 provider_error',
  transient: '503 transient',
  rate_limited: '429 rate_limited, from the platform',
} as const;
