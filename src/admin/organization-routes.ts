// Organizations with their keys and accounts: those of the world, and fresh ones for test workers that want to be
// alone.
import { type Account, describeAccount } from '../domain/accounts.ts';
import type { Organization } from '../domain/world.ts';
import { organizationWorlds } from '../engine/organization.ts';
import { baseUrlOf } from '../http/route.ts';
import { inOrganization } from './live-routes.ts';
import { type AdminCall, fail, reply, withBody } from './reply.ts';
import { flag, oneOf, optional, text } from './shape.ts';

// A test run that never cleans up adds one organization for each of its workers.
const organizationsMax = 10_000;

export const listOrganizations = (call: AdminCall) =>
  reply({
    baseUrl: baseUrl(call),
    organizations: [...call.engine.world.organizations.values()].map(describeOrganization),
  });

/** For a test worker that wants to be alone: own records, an own key, and so a separate key window. */
export const addOrganization = (call: AdminCall) => {
  const { engine, options, request } = call;
  const shape = { world: optional(oneOf(organizationWorlds(options.worlds))), name: optional(text(80)) };
  return withBody(request, shape, (input) => {
    if (engine.world.organizations.size >= organizationsMax)
      return fail(
        409,
        `There are ${organizationsMax} organizations already; POST /__admin/reset removes those that were added.`,
      );
    const { organization, keys } = engine.addOrganization(input);
    return reply({ baseUrl: baseUrl(call), key: keys[0], ...describeOrganization(organization) }, 201);
  });
};

/** In order, or one of the two reasons of a 402. */
const payments = ['ok', 'payment_method_required', 'renewal_pending'] as const;

/** Whether paid actions return 402, and with which reason. Assumption C30. */
export const putOrganization = ({ engine, request, path }: AdminCall) =>
  withBody(request, { payment: oneOf(payments) }, ({ payment }) => {
    const { id = '' } = path;
    if (!engine.changePayment(id, payment)) return fail(404, `There is no organization "${id}".`);
    return reply(describeOrganization(engine.world.organizations.get(id) as Organization));
  });

// Every state that the contract names can be reached here, because it shows no way into most of them. Cites
// 3.transitions.
const accountState = {
  status: optional(oneOf(['pending', 'connected', 'expired', 'revoked', 'pending_api_access'])),
  locked: optional(flag),
  trouble: optional(oneOf(['provider_error', 'transient', 'rate_limited', 'none'])),
} as const;

/** An absent field changes nothing. */
export const putAccount = ({ engine, request, path }: AdminCall) =>
  withBody(request, accountState, ({ trouble, ...state }) => {
    const { id = '', accountId = '' } = path;
    const wishes = { ...state, trouble: trouble === 'none' ? null : trouble };
    const account = engine.changeAccount(id, accountId, wishes);
    return account
      ? reply(describeWholeAccount(account))
      : fail(404, `Organization "${id}" has no account "${accountId}"; GET /__admin/organizations lists them.`);
  });

/** `none` instead of null, since a form sends a text. */
export const describeWholeAccount = (account: Account) => ({
  ...describeAccount(account),
  trouble: account.trouble ?? 'none',
});

/** Counts instead of records: a world may hold a hundred thousand. */
export function describeOrganization({ id, name, payment, keys, accounts, ...records }: Organization) {
  const { sites, counts, contacts } = records;
  return {
    id,
    name,
    payment,
    keys,
    accounts: [...accounts.values()].map(describeWholeAccount),
    counts: { sites: sites.list().length, ...counts, contacts: contacts.size },
  };
}

const contactsShown = 1000;

/** The contacts that `dialer_import_contacts` brought, the newest last. */
export const listContacts = (call: AdminCall) =>
  inOrganization(call, ({ contacts }) => reply({ contacts: contacts.newest(contactsShown), total: contacts.size }));

/** As the caller reached us, so it works from inside a container as well. */
export function baseUrl({ request }: AdminCall): string {
  return baseUrlOf(request);
}
