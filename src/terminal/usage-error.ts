// An error on a command line is one sentence. Either the user can mend it (exit code 2), or it came up while running (1).

/** A flag, a value or a file of the user's that cannot be used. */
export class UsageError extends Error {}

/** Something that failed while running, such as a port that is in use. */
export class RunError extends Error {}
