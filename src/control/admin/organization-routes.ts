// Organizations with their keys and accounts: those of the world, and fresh ones for test workers that want to be alone.
import { describeAccount } from '../../domain/accounts.ts';
import type { Organization } from '../../domain/world.ts';
import { basePath } from '../../http/route.ts';
import { organizationWorlds } from '../organization.ts';
import { withBody } from './body.ts';
import { type AdminCall, fail, reply } from './reply.ts';
import { oneOf, optional, text } from './shape.ts';

const organizationsMax = 10_000;

export const listOrganizations = (call: AdminCall) =>
  reply({
    baseUrl: baseUrl(call),
    organizations: [...call.engine.world.organizations.values()].map(describeOrganization),
  });

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

function describeOrganization({ id, name, payment, keys, accounts, sites, articles, calls }: Organization) {
  return {
    id,
    name,
    payment,
    keys,
    accounts: [...accounts.values()].map((account) => ({ ...describeAccount(account), trouble: account.trouble })),
    counts: { sites: sites.list().length, articles: articles.toData().length, calls: calls.size },
  };
}

export function baseUrl({ request }: AdminCall): string {
  return `${request.origin}${basePath}`;
}
