// Customers of an organization, newest first. The members of a customer are our assumption (choice C147).
// Cites 4.tools.customers-list, 4.tools.customers-list.no-cursor.
import type { Customer, CustomersListResponse } from '../contract/generated/tools.ts';
import { parseInstant } from '../contract/instants.ts';

/** Read only: sorted once, when a world is loaded. */
export class Customers {
  readonly #customers: readonly Customer[];

  constructor(customers: readonly Customer[]) {
    const dated = customers.map((customer) => ({ customer, instant: parseInstant(customer.createdAt) ?? 0n }));
    dated.sort((a, b) => (a.instant < b.instant ? 1 : a.instant > b.instant ? -1 : 0));
    this.#customers = dated.map(({ customer }) => customer);
  }

  /** The newest ones. `nextCursor` says that there are more, though no input takes it (choice C54). */
  newest(max: number): CustomersListResponse['data'] {
    const customers = this.#customers.slice(0, max);
    const last = customers.at(-1);
    const more = max < this.#customers.length;
    return { customers, nextCursor: more && last ? `after.${last.customerId}` : null };
  }

  /** Newest first, whatever order the world file had. */
  toData(): readonly Customer[] {
    return this.#customers;
  }
}
