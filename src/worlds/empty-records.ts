/** What an organization owns when it owns nothing yet: the MCP door's lists are there as well. */
export const emptyRecords = {
  sites: [],
  articles: [],
  keywords: [],
  accounts: [],
  links: [],
  calls: [],
  inbox: [],
  customers: [],
  contacts: [],
};
