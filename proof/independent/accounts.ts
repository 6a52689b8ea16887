// Accounts in every state that the contract names, with ids and texts chosen to trip a careless kit: slashes, percent
// signs, emoji, empty texts.
import type { Source } from './content.ts';
import { uuidOf } from './ids.ts';
import type { Account, AccountNames, AccountStatus, Invite, Provider, Review, Trouble } from './types.ts';

const day = 86_400_000;
/** Legal review ids (R9) that break a path which is encoded once too little or once too often. */
const unusualIds = [
  'accounts/17/locations/4/reviews/AbFv==',
  '50% off?x=1&y=2#top',
  'two words + plus',
  'Größe-✓-日本',
  'semi;colon,comma\'quote"',
  'percent%2Fencoded%25',
  '~tilde:colon@at$dollar!',
];
const texts = ['Sehr gut.', '', 'Slow, but kind 🙂', 'Line one\nline two', 'ok', '「また行きたい」'];

/** Dates come in pairs, so an order by date has ties; every fifth rating is null where the variant has nulls. */
export function makeReviews(source: Source, count: number): Review[] {
  const { seed, start, variant } = source;
  return Array.from({ length: count }, (_, index): Review => {
    const unusual = variant.oddReviewIds ? unusualIds[index % unusualIds.length] : undefined;
    const suffix = index < unusualIds.length ? '' : `~${index}`;
    const date = start - (200 - Math.floor(index / 2)) * day;
    const rating = variant.fractions ? 1 + (index % 9) / 2 : 1 + (index % 5);
    return {
      id: unusual === undefined ? `${seed}-review-${index}` : `${unusual}${suffix}`,
      author: index % 4 === 3 ? '' : `Guest ${index}`,
      rating: variant.nullables === 'all' || (variant.nullables !== 'none' && index % 5 === 4) ? null : rating,
      text: texts[index % texts.length] ?? 'ok',
      date,
      reply: index % 4 === 0 ? { text: `Thank you, guest ${index}.`, at: date + (index % 8) * 20 * day } : undefined,
    };
  });
}

/** A short form of an account; absent fields have ordinary values. */
interface Sketch {
  name: keyof AccountNames;
  provider: Provider;
  status?: AccountStatus;
  locked?: boolean;
  trouble?: Trouble;
  reviews?: number;
}

const usualSketches: readonly Sketch[] = [
  { name: 'postable', provider: 'facebook_page', reviews: 3 },
  { name: 'reviewable', provider: 'google_business', reviews: 23 },
  { name: 'insightful', provider: 'google_analytics' },
  { name: 'quiet', provider: 'google_business', reviews: 0 },
  { name: 'unsupported', provider: 'google_contacts' },
  { name: 'pending', provider: 'tiktok', status: 'pending' },
  { name: 'expired', provider: 'google_business', status: 'expired', reviews: 2 },
  { name: 'revoked', provider: 'facebook_page', status: 'revoked', reviews: 2 },
  { name: 'pendingApi', provider: 'google_business', status: 'pending_api_access' },
  { name: 'locked', provider: 'google_business', locked: true, reviews: 4 },
  { name: 'denied', provider: 'facebook_page', trouble: 'provider_permission', reviews: 2 },
];

/** Only if the variant has platform errors: R2 makes such a target hard to test. */
const troubled: readonly Sketch[] = [
  { name: 'limited', provider: 'google_business', trouble: 'rate_limited', reviews: 2 },
  { name: 'failing', provider: 'facebook_page', trouble: 'provider_error', reviews: 2 },
  { name: 'shaky', provider: 'google_business', trouble: 'transient', reviews: 2 },
];

/** The id an account of that name has, whether or not this variant's organization owns it. */
export function accountIdOf(name: keyof AccountNames, source: Source): string {
  return uuidOf(`account/${name}`, source.variant.idVersion);
}

/** An account that was never connected has no name and no date, unless the variant has no nulls. */
function build(sketch: Sketch, source: Source): Account {
  const { variant, start } = source;
  const status = sketch.status ?? 'connected';
  const never = status === 'pending' || status === 'pending_api_access';
  const isNull = variant.nullables === 'all' || (never && variant.nullables !== 'none');
  return {
    id: variant.oddPlainIds && status === 'pending' ? 'waiting:tiktok/1' : accountIdOf(sketch.name, source),
    provider: sketch.provider,
    label: `Client ${sketch.name}`,
    name: isNull ? null : `${sketch.provider} page`,
    status,
    locked: sketch.locked ?? false,
    connected: isNull ? null : start - 60 * day,
    trouble: sketch.trouble,
    reviews: makeReviews({ ...source, seed: sketch.name }, sketch.reviews ?? 0),
  };
}

/** Reversed where a kit that takes the first account would find a useless one. */
export function makeAccounts(source: Source): Account[] {
  const { variant } = source;
  if (variant.world === 'empty') return [];
  if (variant.world === 'single') {
    return usualSketches.filter((sketch) => sketch.name === 'quiet').map((sketch) => build(sketch, source));
  }
  const sketches = variant.platformTrouble ? [...usualSketches, ...troubled] : [...usualSketches];
  const accounts = sketches.map((sketch) => build(sketch, source));
  return variant.accountOrder === 'usable-last' ? accounts.reverse() : accounts;
}

/** The one account of the other organization. */
export function makeForeign(source: Source): Account {
  return build({ name: 'foreign', provider: 'google_business', reviews: 3 }, source);
}

/** One that is open for two days: longer than any test. */
export function makeInvites(source: Source): Invite[] {
  const { variant, start, seed } = source;
  if (variant.world === 'empty') return [];
  const id = variant.oddPlainIds ? `inv_${seed}` : uuidOf(`${seed}/invite`, variant.idVersion);
  return [{ id, label: 'Waiting room', provider: 'instagram', maxAccounts: 3, expires: start + 2 * day }];
}
