// Generated from spec/ by `npm run generate`. Do not edit.
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly hasBody: boolean;
}

export const routes = {
  listArticles: {"method":"GET","path":"/articles","query":["siteId","limit","cursor"],"hasBody":false},
  getArticle: {"method":"GET","path":"/articles/{id}","query":[],"hasBody":false},
  listSites: {"method":"GET","path":"/sites","query":[],"hasBody":false},
  getSite: {"method":"GET","path":"/sites/{id}","query":[],"hasBody":false},
  listKeywords: {"method":"GET","path":"/keywords","query":["siteId"],"hasBody":false},
  listAccounts: {"method":"GET","path":"/connect/accounts","query":[],"hasBody":false},
  createConnectLink: {"method":"POST","path":"/connect/accounts","query":[],"hasBody":true},
  createPost: {"method":"POST","path":"/connect/accounts/{accountId}/posts","query":[],"hasBody":true},
  listReviews: {"method":"GET","path":"/connect/accounts/{accountId}/reviews","query":["cursor"],"hasBody":false},
  replyToReview: {"method":"POST","path":"/connect/accounts/{accountId}/reviews/{reviewId}/reply","query":[],"hasBody":true},
  getInsights: {"method":"GET","path":"/connect/accounts/{accountId}/insights","query":["range"],"hasBody":false},
  listCalls: {"method":"GET","path":"/connect/calls/log","query":["since","limit"],"hasBody":false},
} as const satisfies Readonly<Record<string, Route>>;
