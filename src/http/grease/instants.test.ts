import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../contract/instants.ts';
import type { AnyOperation } from '../route.ts';
import { restyleInstants } from './instants.ts';

const written = '2026-01-15T12:00:00.000Z';

function formsOf(member: string, operation: AnyOperation['id'] | null): string[] {
  const forms = Array.from({ length: 60 }, (_, seed) => {
    const varied = restyleInstants({ data: [{ [member]: written }] }, operation, seed);
    return (varied as { data: Record<string, string>[] }).data[0]?.[member] ?? '';
  });
  return [...new Set(forms)];
}

describe('restyleInstants', () => {
  it.each<[string, AnyOperation['id'] | null]>([
    ['createdAt', 'listArticles'],
    ['updatedAt', 'getArticle'],
    ['publishedAt', 'getArticle'],
    ['createdAt', 'listSites'],
    ['createdAt', 'listKeywords'],
    ['connectedAt', 'listAccounts'],
    ['expiresAt', 'createConnectLink'],
    ['repliedAt', 'replyToReview'],
    ['startedAt', 'listCalls'],
    ['endedAt', 'listCalls'],
    ['receivedAt', 'inbox_list'],
    ['date', 'listReviews'],
    ['cursor', 'listArticles'],
    ['nextCursor', 'listCalls'],
  ])('writes %s of %s in five forms of the same instant', (member, operation) => {
    const forms = formsOf(member, operation);
    expect(forms).toHaveLength(5);
    expect(new Set(forms.map(parseInstant)).size).toBe(1);
  });

  it.each<[string, AnyOperation['id'] | null]>([
    ['date', 'getInsights'],
    ['cursor', 'listReviews'],
    ['nextCursor', 'inbox_list'],
    ['title', 'listArticles'],
    ['text', null],
  ])('leaves %s of %s as it is', (member, operation) => {
    expect(formsOf(member, operation)).toEqual([written]);
  });

  it.each(['2026-01-15', '2026-01-15T12:00:00Z', 'soon', ''])('leaves %j, which a world may hold, as it is', (text) => {
    expect(restyleInstants({ createdAt: text }, null, 1)).toEqual({ createdAt: text });
  });
});
