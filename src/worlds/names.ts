/** Names that a user may give instead of a file. */
export const worldNames = ['default', 'empty', 'tied-articles', 'unpaid', 'huge'] as const;

export type WorldName = (typeof worldNames)[number];
