// Messages that customers sent to the connected accounts, newest first. The fields of a message are our assumption
// (assumption C147). Cites 4.tools.inbox-list.
import type { Customer, CustomersListResponse, InboxListResponse, InboxMessage } from '../contract/generated/tools.ts';
import { parseTimestamp } from '../contract/timestamps.ts';
import { invalidInput, type Outcome, ok } from './outcome.ts';

/** The contract shows no page size for `inbox_list`; small enough that the default world has several pages. */
export const inboxPageSize = 20;

/**
 * Read only: sorted once, when a world is loaded. The cursor names a message and not a number, so it stays right
 * in a world with other messages.
 */
export class Inbox {
  readonly #messages: readonly InboxMessage[];

  constructor(messages: readonly InboxMessage[]) {
    const dated = messages.map((message) => ({ message, timestamp: parseTimestamp(message.receivedAt) ?? 0n }));
    dated.sort((a, b) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0));
    this.#messages = dated.map(({ message }) => message);
  }

  /** One page. The cursor names the last message of the page before, in a form that clients need not understand. */
  page(cursor: string | undefined): Outcome<InboxListResponse['data']> {
    const start = cursor === undefined ? 0 : this.#startAfter(cursor);
    if (start === null) {
      const message = 'The cursor is not from this list.';
      return invalidInput([{ path: '/cursor', message, rule: 'cursor' }]);
    }
    const messages = this.#messages.slice(start, start + inboxPageSize);
    const last = messages.at(-1);
    const more = start + inboxPageSize < this.#messages.length;
    return ok({ messages, nextCursor: more && last ? `${cursorPrefix}${last.messageId}` : null });
  }

  toData(): readonly InboxMessage[] {
    return this.#messages;
  }

  /** Null for a cursor that this list never gave out. */
  #startAfter(cursor: string): number | null {
    const index = this.#messages.findIndex(({ messageId }) => `${cursorPrefix}${messageId}` === cursor);
    return index === -1 ? null : index + 1;
  }
}

const cursorPrefix = 'after.';

// Customers of an organization, newest first. The fields of a customer are our assumption (assumption C147).
// Cites 4.tools.customers-list, 4.tools.customers-list.no-cursor.

/** Read only: sorted once, when a world is loaded. */
export class Customers {
  readonly #customers: readonly Customer[];

  constructor(customers: readonly Customer[]) {
    const dated = customers.map((customer) => ({ customer, timestamp: parseTimestamp(customer.createdAt) ?? 0n }));
    dated.sort((a, b) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0));
    this.#customers = dated.map(({ customer }) => customer);
  }

  /** The newest ones. `nextCursor` says that there are more, though no input takes it (assumption C54). */
  newest(max: number): CustomersListResponse['data'] {
    const customers = this.#customers.slice(0, max);
    const last = customers.at(-1);
    const more = max < this.#customers.length;
    return { customers, nextCursor: more && last ? `after.${last.customerId}` : null };
  }

  toData(): readonly Customer[] {
    return this.#customers;
  }
}
