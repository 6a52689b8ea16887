import { describe, expect, it } from 'vitest';
import { assumptionTexts } from '../contract/generated/assumption-texts.ts';
import { clauses } from '../contract/generated/clauses.ts';
import { apiDocument } from '../contract/generated/document.ts';
import { operations as contractOperations } from '../contract/generated/operations.ts';
import { readOperations } from './client/reference.ts';

const operations = readOperations(JSON.parse(apiDocument));
const operation = (id: string) => operations.find((one) => one.id === id);

describe('the reference', () => {
  it('shows the operations of the contract, and no others', () => {
    expect(operations.map(({ id }) => id).sort()).toEqual(Object.keys(contractOperations).sort());
  });

  it.each(operations.map((one) => [one.id, one] as const))('of %s has responses, clauses and choices', (id, one) => {
    expect([one.summary, one.tag].every((text) => text !== '')).toBe(true);
    expect(one.responses.map(({ status }) => Number(status)).sort()).toEqual(
      [...contractOperations[id as keyof typeof contractOperations].statuses].sort(),
    );
    for (const { examples, fields } of one.responses) {
      expect(examples.length).toBeGreaterThan(0);
      expect(examples.every(({ value }) => value !== undefined)).toBe(true);
      expect(fields.length).toBeGreaterThan(0);
    }
    expect(one.clauses.length).toBeGreaterThan(0);
    expect(one.clauses.filter((clause) => !Object.hasOwn(clauses, clause))).toEqual([]);
    expect(one.assumptions.filter((assumption) => !Object.hasOwn(assumptionTexts, assumption))).toEqual([]);
  });

  it('follows references into parameters, bodies and responses', () => {
    const post = operation('createPost');
    expect(post?.parameters.map(({ name, place, required }) => `${place} ${name} ${required}`)).toEqual([
      'path accountId true',
    ]);
    expect(post?.body?.fields.map(({ name }) => name)).toContain('media.imageUrl');
    expect(post?.body?.example).toHaveProperty('text');
    const [good] = operation('listReviews')?.responses ?? [];
    expect(good?.fields.map(({ name }) => name)).toContain('data.reviews[].rating');
    expect(operation('listArticles')?.parameters.find(({ name }) => name === 'limit')).toMatchObject({
      type: 'integer, 1 to 100',
      text: 'Most articles on one page. Default: 20.',
    });
  });

  it('puts the choices of the mock next to the operation that they touch', () => {
    expect(operation('createPost')?.assumptions).toContain('C24');
    expect(operation('listCalls')?.assumptions).toEqual(expect.arrayContaining(['C34', 'C35', 'C38']));
    expect(operation('listSites')?.assumptions).not.toContain('C35');
  });
});

describe('the choices', () => {
  it('have a title, a text and clauses that exist', () => {
    const rows = Object.entries(assumptionTexts);
    expect(rows.length).toBeGreaterThan(100);
    for (const [id, { title, text, clauses: touched }] of rows) {
      expect(id).toMatch(/^C\d+$/);
      expect([title, text]).not.toContain('');
      expect(touched.filter((clause) => !Object.hasOwn(clauses, clause))).toEqual([]);
    }
  });
});
