// Generated from spec/ by `npm run generate`. Do not edit.
import type { ClauseId } from './clauses.ts';

/** A field of a record of section 2. */
export interface FieldRow {
  readonly record: 'Article' | 'Site' | 'Keyword' | 'ConnectAccountInput' | 'ConnectAccountOutput' | 'ConnectedAccount' | 'PendingInvite' | 'Billing' | 'CreatePostInput' | 'CreatePostOutput' | 'ReviewItem' | 'ReviewsAggregate' | 'ReplyReviewInput' | 'ReplyReviewOutput' | 'InsightRange' | 'InsightMetric' | 'InsightPoint';
  readonly name: string;
  readonly clause: ClauseId;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly isRequired: boolean;
  readonly isEnum: boolean;
  readonly nullable?: boolean;
  readonly format?: 'uuid' | 'date-time' | 'uri';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export const fieldRows: readonly FieldRow[] = [
  {"record":"Article","name":"id","clause":"2.article.id","type":"string","isRequired":true,"isEnum":false,"format":"uuid"},
  {"record":"Article","name":"siteId","clause":"2.article.site-id","type":"string","isRequired":true,"isEnum":false,"format":"uuid"},
  {"record":"Article","name":"title","clause":"2.article.title","type":"string","isRequired":true,"isEnum":false},
  {"record":"Article","name":"slug","clause":"2.article.slug","type":"string","isRequired":true,"isEnum":false},
  {"record":"Article","name":"status","clause":"2.article.status","type":"string","isRequired":true,"isEnum":true},
  {"record":"Article","name":"targetKeyword","clause":"2.article.target-keyword","type":"string","isRequired":true,"isEnum":false,"nullable":true},
  {"record":"Article","name":"wordCount","clause":"2.article.word-count","type":"integer","isRequired":true,"isEnum":false},
  {"record":"Article","name":"seoScore","clause":"2.article.seo-score","type":"integer","isRequired":true,"isEnum":false,"nullable":true},
  {"record":"Article","name":"publishedAt","clause":"2.article.published-at","type":"string","isRequired":true,"isEnum":false,"nullable":true,"format":"date-time"},
  {"record":"Article","name":"createdAt","clause":"2.article.created-at","type":"string","isRequired":true,"isEnum":false,"format":"date-time"},
  {"record":"Article","name":"updatedAt","clause":"2.article.updated-at","type":"string","isRequired":true,"isEnum":false,"format":"date-time"},
  {"record":"Site","name":"id","clause":"2.site.id","type":"string","isRequired":true,"isEnum":false,"format":"uuid"},
  {"record":"Site","name":"name","clause":"2.site.name","type":"string","isRequired":true,"isEnum":false},
  {"record":"Site","name":"domain","clause":"2.site.domain","type":"string","isRequired":true,"isEnum":false},
  {"record":"Site","name":"cms","clause":"2.site.cms","type":"string","isRequired":true,"isEnum":false},
  {"record":"Site","name":"language","clause":"2.site.language","type":"string","isRequired":true,"isEnum":false},
  {"record":"Site","name":"createdAt","clause":"2.site.created-at","type":"string","isRequired":true,"isEnum":false,"format":"date-time"},
  {"record":"Keyword","name":"id","clause":"2.keyword.id","type":"string","isRequired":true,"isEnum":false,"format":"uuid"},
  {"record":"Keyword","name":"siteId","clause":"2.keyword.site-id","type":"string","isRequired":true,"isEnum":false,"format":"uuid"},
  {"record":"Keyword","name":"keyword","clause":"2.keyword.keyword","type":"string","isRequired":true,"isEnum":false},
  {"record":"Keyword","name":"searchVolume","clause":"2.keyword.search-volume","type":"integer","isRequired":true,"isEnum":false,"nullable":true},
  {"record":"Keyword","name":"difficulty","clause":"2.keyword.difficulty","type":"integer","isRequired":true,"isEnum":false,"nullable":true},
  {"record":"Keyword","name":"intent","clause":"2.keyword.intent","type":"string","isRequired":true,"isEnum":false,"nullable":true},
  {"record":"Keyword","name":"createdAt","clause":"2.keyword.created-at","type":"string","isRequired":true,"isEnum":false,"format":"date-time"},
  {"record":"ConnectAccountInput","name":"provider","clause":"2.connect-account-input.provider","type":"string","isRequired":true,"isEnum":true},
  {"record":"ConnectAccountInput","name":"label","clause":"2.connect-account-input.label","type":"string","isRequired":true,"isEnum":false,"minLength":1,"maxLength":80},
  {"record":"ConnectAccountInput","name":"maxAccounts","clause":"2.connect-account-input.max-accounts","type":"integer","isRequired":false,"isEnum":false,"minimum":1,"maximum":20},
  {"record":"ConnectAccountOutput","name":"connectUrl","clause":"2.connect-account-output.connect-url","type":"string","isRequired":true,"isEnum":false},
  {"record":"ConnectAccountOutput","name":"expiresAt","clause":"2.connect-account-output.expires-at","type":"string","isRequired":true,"isEnum":false},
  {"record":"ConnectAccountOutput","name":"provider","clause":"2.connect-account-output.provider","type":"string","isRequired":true,"isEnum":true},
  {"record":"ConnectAccountOutput","name":"label","clause":"2.connect-account-output.label","type":"string","isRequired":true,"isEnum":false},
  {"record":"ConnectedAccount","name":"accountId","clause":"2.list-accounts-output.accounts.account-id","type":"string","isRequired":true,"isEnum":false},
  {"record":"ConnectedAccount","name":"provider","clause":"2.list-accounts-output.accounts.provider","type":"string","isRequired":true,"isEnum":true},
  {"record":"ConnectedAccount","name":"label","clause":"2.list-accounts-output.accounts.label","type":"string","isRequired":true,"isEnum":false},
  {"record":"ConnectedAccount","name":"name","clause":"2.list-accounts-output.accounts.name","type":"string","isRequired":true,"isEnum":false,"nullable":true},
  {"record":"ConnectedAccount","name":"status","clause":"2.list-accounts-output.accounts.status","type":"string","isRequired":true,"isEnum":true},
  {"record":"ConnectedAccount","name":"locked","clause":"2.list-accounts-output.accounts.locked","type":"boolean","isRequired":true,"isEnum":false},
  {"record":"ConnectedAccount","name":"connectedAt","clause":"2.list-accounts-output.accounts.connected-at","type":"string","isRequired":true,"isEnum":false,"nullable":true},
  {"record":"PendingInvite","name":"id","clause":"2.list-accounts-output.pending-invites.id","type":"string","isRequired":true,"isEnum":false},
  {"record":"PendingInvite","name":"label","clause":"2.list-accounts-output.pending-invites.label","type":"string","isRequired":true,"isEnum":false},
  {"record":"PendingInvite","name":"provider","clause":"2.list-accounts-output.pending-invites.provider","type":"string","isRequired":true,"isEnum":true},
  {"record":"PendingInvite","name":"maxAccounts","clause":"2.list-accounts-output.pending-invites.max-accounts","type":"integer","isRequired":true,"isEnum":false},
  {"record":"PendingInvite","name":"expiresAt","clause":"2.list-accounts-output.pending-invites.expires-at","type":"string","isRequired":true,"isEnum":false},
  {"record":"Billing","name":"connected","clause":"2.list-accounts-output.billing.connected","type":"number","isRequired":true,"isEnum":false},
  {"record":"Billing","name":"free","clause":"2.list-accounts-output.billing.free","type":"number","isRequired":true,"isEnum":false},
  {"record":"Billing","name":"billable","clause":"2.list-accounts-output.billing.billable","type":"number","isRequired":true,"isEnum":false},
  {"record":"Billing","name":"needsPayment","clause":"2.list-accounts-output.billing.needs-payment","type":"boolean","isRequired":true,"isEnum":false},
  {"record":"CreatePostInput","name":"accountId","clause":"2.create-post-input.account-id","type":"string","isRequired":true,"isEnum":false,"format":"uuid"},
  {"record":"CreatePostInput","name":"text","clause":"2.create-post-input.text","type":"string","isRequired":true,"isEnum":false,"minLength":1,"maxLength":5000},
  {"record":"CreatePostInput","name":"link","clause":"2.create-post-input.link","type":"string","isRequired":false,"isEnum":false,"format":"uri"},
  {"record":"CreatePostOutput","name":"postId","clause":"2.create-post-output.post-id","type":"string","isRequired":true,"isEnum":false},
  {"record":"CreatePostOutput","name":"permalink","clause":"2.create-post-output.permalink","type":"string","isRequired":true,"isEnum":false,"nullable":true},
  {"record":"ReviewItem","name":"reviewId","clause":"2.review-item.review-id","type":"string","isRequired":true,"isEnum":false},
  {"record":"ReviewItem","name":"author","clause":"2.review-item.author","type":"string","isRequired":true,"isEnum":false},
  {"record":"ReviewItem","name":"rating","clause":"2.review-item.rating","type":"number","isRequired":true,"isEnum":false,"nullable":true},
  {"record":"ReviewItem","name":"text","clause":"2.review-item.text","type":"string","isRequired":true,"isEnum":false},
  {"record":"ReviewItem","name":"date","clause":"2.review-item.date","type":"string","isRequired":true,"isEnum":false},
  {"record":"ReviewItem","name":"replied","clause":"2.review-item.replied","type":"boolean","isRequired":false,"isEnum":false},
  {"record":"ReviewItem","name":"replyText","clause":"2.review-item.reply-text","type":"string","isRequired":false,"isEnum":false},
  {"record":"ReviewsAggregate","name":"ratingValue","clause":"2.list-reviews-output.aggregate.rating-value","type":"number","isRequired":true,"isEnum":false},
  {"record":"ReviewsAggregate","name":"reviewCount","clause":"2.list-reviews-output.aggregate.review-count","type":"number","isRequired":true,"isEnum":false},
  {"record":"ReplyReviewInput","name":"accountId","clause":"2.reply-review-input.account-id","type":"string","isRequired":true,"isEnum":false,"format":"uuid"},
  {"record":"ReplyReviewInput","name":"reviewId","clause":"2.reply-review-input.review-id","type":"string","isRequired":true,"isEnum":false,"minLength":1},
  {"record":"ReplyReviewInput","name":"text","clause":"2.reply-review-input.text","type":"string","isRequired":true,"isEnum":false,"minLength":1,"maxLength":4096},
  {"record":"ReplyReviewOutput","name":"repliedAt","clause":"2.reply-review-output.replied-at","type":"string","isRequired":true,"isEnum":false,"nullable":true},
  {"record":"InsightRange","name":"startDate","clause":"2.get-insights-output.range.start-date","type":"string","isRequired":true,"isEnum":false},
  {"record":"InsightRange","name":"endDate","clause":"2.get-insights-output.range.end-date","type":"string","isRequired":true,"isEnum":false},
  {"record":"InsightMetric","name":"key","clause":"2.get-insights-output.metrics.key","type":"string","isRequired":true,"isEnum":false},
  {"record":"InsightMetric","name":"label","clause":"2.get-insights-output.metrics.label","type":"string","isRequired":true,"isEnum":false},
  {"record":"InsightMetric","name":"total","clause":"2.get-insights-output.metrics.total","type":"number","isRequired":true,"isEnum":false},
  {"record":"InsightPoint","name":"date","clause":"2.get-insights-output.metrics.points.date","type":"string","isRequired":true,"isEnum":false},
  {"record":"InsightPoint","name":"value","clause":"2.get-insights-output.metrics.points.value","type":"number","isRequired":true,"isEnum":false},
];
