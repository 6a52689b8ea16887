/** Names that a user may give instead of a file. */
export const worldNames = ['default', 'empty', 'tied-articles', 'unpaid', 'huge'] as const;

export type WorldName = (typeof worldNames)[number];

/** Those that can take the place of a running one: making `huge` would keep every client waiting for seconds. */
export const quickWorldNames = worldNames.filter((name) => name !== 'huge');
