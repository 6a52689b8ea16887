/** The user asked for something that cannot be; the message is one sentence for them. Exit code 2. */
export class UsageError extends Error {}
