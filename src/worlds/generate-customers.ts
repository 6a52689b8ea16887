// The inbox and the customers of a generated world, for the further tools of the MCP endpoint (assumption C147).
import type { Customer, InboxMessage } from '../contract/generated/tools.ts';
import { formatTimestamp, hourMs } from '../contract/timestamps.ts';
import type { AccountData } from '../domain/world-data.ts';
import type { Draw } from './generate-content.ts';
import { foreignNames } from './themes.ts';

const questions: readonly string[] = [
  'Are you open on Sunday?',
  'Do you have a table for four tonight?',
  'Is the large size back in stock?',
  'Can I bring my dog?',
  'How much is delivery to the old town?',
  'I left my umbrella at your place. Did anybody find it?',
  'Do you offer gift cards?',
  'The link in your last post is broken.',
  'What is gluten-free on the new menu?',
  'Thank you for yesterday! 👏',
];

/** Newest first, each with its own timestamp; from accounts that are connected and have people who write. */
export function generateInbox(
  { faker, anchorMs }: Draw,
  accounts: readonly AccountData[],
  count: number,
): InboxMessage[] {
  const social = /^(google_business|facebook_page|instagram|tiktok)$/;
  const open = accounts.filter(({ provider, status }) => status === 'connected' && social.test(provider)).slice(0, 4);
  let receivedMs = anchorMs;
  return Array.from({ length: open.length === 0 ? 0 : count }, (_, i) => {
    receivedMs -= 1 + faker.number.int({ min: hourMs / 4, max: 9 * hourMs });
    const account = open[faker.number.int(open.length - 1)] as AccountData;
    return {
      messageId: `msg_${faker.string.alphanumeric(20)}`,
      accountId: account.accountId,
      provider: account.provider,
      from: foreignNames[(i - 3) / 7] ?? `${faker.person.firstName()} ${faker.person.lastName()}`,
      text: faker.helpers.arrayElement(questions),
      receivedAt: formatTimestamp(receivedMs),
      read: i > 4,
    };
  });
}

/** Newest first. Some left no number, some no address. */
export function generateCustomers({ faker, anchorMs }: Draw, count: number): Customer[] {
  let createdMs = anchorMs;
  return Array.from({ length: count }, (_, i) => {
    createdMs -= 1 + faker.number.int({ min: hourMs, max: 60 * hourMs });
    const [first, last] = [faker.person.firstName(), faker.person.lastName()];
    return {
      customerId: `cust_${faker.string.alphanumeric(16)}`,
      name: `${first} ${last}`,
      // Numbers 555-0100 to 555-0199 are fictitious.
      phone: i % 7 === 3 ? null : `+1${faker.number.int({ min: 201, max: 989 })}55501${faker.string.numeric(2)}`,
      email: i % 5 === 4 ? null : `${first}.${last}@example.com`.toLowerCase().replace(/[^a-z.@]/g, ''),
      createdAt: formatTimestamp(createdMs),
    };
  });
}
