// A world in the handwriting of a deployment: ids of its version and form, keys with its prefix. Done once, before the
// world comes to life, so everything that refers to an id still does.

import { hashToUnit } from './random.ts';
import type { WorldBehavior } from './world-behavior.ts';
import type { AccountData, OrganizationData, WorldData } from './world-data.ts';

const uuid = /^([0-9a-f]{8}-[0-9a-f]{4}-)[1-8]([0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** Returns the same world without requested changes. */
export function styleWorld(world: WorldData, behavior: Partial<WorldBehavior>): WorldData {
  const { idVersion = '4', reviewIdForm = 'opaque', keyPrefix = 'casa' } = behavior;
  const numbered = idVersion === '4' ? world : (withVersion(world, idVersion) as WorldData);
  if (reviewIdForm === 'opaque' && keyPrefix === 'casa') return numbered;
  return {
    ...numbered,
    organizations: numbered.organizations.map((organization) => ({
      ...organization,
      keys: organization.keys.map(({ key, ...rest }) => ({ ...rest, key: withPrefix(key, keyPrefix) })),
      accounts: organization.accounts.map((account) => withReviewIds(account, reviewIdForm)),
    })),
  };
}

/** For an organization that is made while the mock runs. */
export function styleOrganization(data: OrganizationData, behavior: Partial<WorldBehavior>): OrganizationData {
  const { keyPrefix = 'casa' } = behavior;
  return { ...data, keys: data.keys.map(({ key, ...rest }) => ({ ...rest, key: withPrefix(key, keyPrefix) })) };
}

function withVersion(value: unknown, version: string): unknown {
  if (typeof value === 'string') return value.replace(uuid, `$1${version}$2`);
  if (Array.isArray(value)) return value.map((item) => withVersion(item, version));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withVersion(field, version)]));
}

function withPrefix(key: string, prefix: string): string {
  return key.replace(/^casa_/, `${prefix}_`);
}

function withReviewIds(account: AccountData, form: string): AccountData {
  if (form === 'opaque') return account;
  const reviews = account.reviews.map((review) => ({ ...review, reviewId: idInForm(review.reviewId, form) }));
  return { ...account, reviews };
}

/** Follows from the id alone, and differs for each id. */
export function idInForm(id: string, form: string): string {
  const hex = [1, 2, 3, 4].map((part) => hashHex(`${id} ${part}`)).join('');
  const [, prefix, rest = ''] = /^([a-z]+[_-])\+(.+)$/.exec(form) ?? [];
  if (prefix !== undefined) return `${prefix}${rest === 'opaque' ? `x${hex.slice(0, 15)}` : idInForm(id, rest)}`;
  switch (form) {
    case 'digits':
      return String(1e14 + Math.floor(hashToUnit(id) * 4e9) * 1000 + Math.floor(hashToUnit(`${id} more`) * 1000));
    case 'uuid':
    case 'UUID': {
      const text = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
      return form === 'UUID' ? text.toUpperCase() : text;
    }
    case 'hex':
      return hex;
    case 'opaque, to be encoded':
      return `${['a/b:', '100% ', 'Café ', '%2F'][Math.floor(hashToUnit(id) * 4)]}${id}`;
    default:
      return id;
  }
}

function hashHex(text: string): string {
  return Math.floor(hashToUnit(text) * 4_294_967_296)
    .toString(16)
    .padStart(8, '0');
}
