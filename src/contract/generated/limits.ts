// Generated from spec/ by `npm run generate`. Do not edit.
/** Cites 8.address-window. */
export const addressWindow = {"limit":10,"windowMs":10000} as const;

/** Cites 8.key-window. */
export const keyWindow = {"limit":60,"windowMs":60000} as const;

/** Cites 8.body-rest. */
export const bodyBytesMax = 2500000;

/** Cites 8.body-mcp. */
export const mcpBodyBytesMax = 1048576;

/** Cites 8.import.csv-contacts. */
export const csvContactsMax = 20000;

/** Cites 8.import.csv-characters. */
export const csvCharactersMax = 2000000;

/** Cites 8.import.rows. */
export const importRowsMax = 5000;

/** Cites 8.articles-limit. */
export const articlesLimit = {"min":1,"max":100,"preset":20} as const;

/** Cites 8.calls-limit. */
export const callsLimit = {"max":200,"preset":50} as const;

/** Cites 8.customers-max. */
export const customersLimit = {"min":1,"max":100} as const;

/** Cites 8.label. */
export const labelLength = {"min":1,"max":80} as const;

/** Cites 8.max-accounts. */
export const linkAccounts = {"min":1,"max":20,"preset":1} as const;

/** Cites 8.post-text. */
export const postTextLength = {"min":1,"max":5000} as const;

/** Cites 8.reply-text. */
export const replyTextLength = {"min":1,"max":4096} as const;

/** Cites 6.wait. */
export const pollIntervalMs = 60000;

/** Cites 4.calls.settled-only. */
export const settledAfterMs = 300000;
