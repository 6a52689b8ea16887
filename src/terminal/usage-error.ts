// The errors of a command line: a mistake of the user (exit code 2) or a failure of the machine (1); each is one
// sentence.

/** A flag, a value or a file of the user's that cannot be used. */
export class UsageError extends Error {}

/** Something that failed while running, such as a port that is in use. */
export class RunError extends Error {}
