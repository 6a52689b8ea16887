// Which platform offers which action: an assumption (choice C28). Asking for another one answers `not_supported`.
import type { Provider } from '../contract/generated/types.ts';
import { type Outcome, ok, refuse } from './outcome.ts';

/** The contract has no word for what a platform offers; these are its operations on one account. */
export type Action = 'posts' | 'reviews' | 'insights';

/** Platforms without any action can still be connected and are listed. */
export const providerActions: Readonly<Record<Provider, readonly Action[]>> = {
  google_business: ['posts', 'reviews', 'insights'],
  facebook_page: ['posts', 'reviews', 'insights'],
  tiktok: ['posts', 'insights'],
  instagram: ['posts', 'insights'],
  google_analytics: ['insights'],
  google_search_console: ['insights'],
  google_ads: ['insights'],
  google_calendar: [],
  google_contacts: [],
};

/** Cites 7.code.not-supported. */
export function checkSupport(provider: Provider, action: Action): Outcome<null> {
  if (providerActions[provider].includes(action)) return ok(null);
  return refuse({ code: 'not_supported', message: `${provider} has no ${action}.` });
}
