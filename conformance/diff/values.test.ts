import { describe, expect, test } from 'vitest';
import { hasSuspects, valueDimensions } from './values.ts';
import { kinds, type Members, type World } from './world.ts';

const uuid = (number: number) => `${String(number).padStart(8, '0')}-1111-4222-8333-444455556666`;
const site = (number: number, more: Members = {}) => ({
  id: uuid(number),
  domain: `site${number % 10}.example`,
  ...more,
});
const article = (number: number, siteId: string, more: Members = {}) => ({
  id: uuid(number),
  siteId,
  slug: `article-${number % 10}`,
  title: 'Same',
  createdAt: `2026-01-0${number % 10}T10:00:00.000Z`,
  ...more,
});

function world(site: readonly Members[], article: readonly Members[] = []): World {
  const empty = Object.fromEntries(kinds.map((kind) => [kind, { records: [], isWhole: false }])) as unknown as World;
  return { ...empty, site: { records: site, isWhole: true }, article: { records: article, isWhole: false } };
}

const plain = world([site(1), site(2)], [article(3, uuid(1)), article(4, uuid(2))]);

/** A, B, A, B, A, B, A. */
function compare(a: World, b: World, again: Partial<Record<'a' | 'b', World>> = {}) {
  const dimensions = valueDimensions({
    a: [a, again.a ?? a, a, a],
    b: [b, again.b ?? b, b],
    keepsValues: true,
  });
  return Object.fromEntries(dimensions.map(({ id, outcome }) => [id, outcome]));
}

describe('values of one world', () => {
  test('are the same, in whatever order the records come', () => {
    const turned = world([site(2), site(1)], [article(4, uuid(2)), article(3, uuid(1))]);
    expect(new Set(Object.values(compare(plain, turned)))).toEqual(new Set(['same', 'not comparable']));
    expect(compare(plain, turned)).toMatchObject({ site: 'same', 'article.title': 'same', 'article.siteId': 'same' });
    expect(hasSuspects(plain, turned)).toBe(false);
  });

  test('are found again under other ids, and an id keeps its identity', () => {
    const other = world([site(11), site(12)], [article(13, uuid(11)), article(14, uuid(12))]);
    expect(compare(plain, other)).toMatchObject({ site: 'same', 'article.title': 'same', 'article.siteId': 'same' });
    const crossed = world([site(1), site(2)], [article(3, uuid(2)), article(4, uuid(1))]);
    expect(compare(plain, crossed)).toMatchObject({ 'article.siteId': 'differs legally' });
  });

  const at = (number: number, createdAt: string) => article(number, uuid(1), { createdAt });
  const days = (...times: string[]) =>
    world(
      [site(1)],
      times.map((time, index) => at(index + 3, time)),
    );
  test.each([
    ['in another form', ['2026-01-03T10:00:00Z'], ['2026-01-03T15:30:00.000+05:30'], 'same'],
    ['in whole minutes', ['2026-01-03T10:00:42Z'], ['2026-01-03T10:00Z'], 'same'],
    [
      'all later by an hour',
      ['2026-01-03T10:00:00Z', '2026-01-04T10:00:00Z'],
      ['2026-01-03T11:00:00Z', '2026-01-04T11:00:00Z'],
      'same',
    ],
    [
      'one later by an hour',
      ['2026-01-03T10:00:00Z', '2026-01-04T10:00:00Z', '2026-01-05T10:00:00Z'],
      ['2026-01-03T10:00:00Z', '2026-01-04T10:00:00Z', '2026-01-05T11:00:00Z'],
      'differs legally',
    ],
  ])('are instants %s', (_name, a, b, outcome) => {
    expect(compare(days(...a), days(...b))['article.createdAt']).toBe(outcome);
  });

  test('differ where a member has another value three times, or is missing', () => {
    const other = world([site(1, { name: 'Other' }), site(2)]);
    const named = world([site(1, { name: 'One' }), site(2)]);
    expect(compare(named, other)['site.name']).toBe('differs legally');
    expect(compare(named, plain)['site.name']).toBe('differs legally');
    expect(hasSuspects(named, other)).toBe(true);
    const [once] = valueDimensions({ a: [named], b: [other], keepsValues: true }).filter(
      ({ id }) => id === 'site.name',
    );
    expect(once?.outcome).toBe('not comparable');
  });

  test('are noise where a side changes while it is read', () => {
    const [one, two] = [world([site(1, { name: 'One' })]), world([site(1, { name: 'Two' })])];
    expect(compare(one, two, { a: two })['site.name']).toBe('not comparable');
    expect(compare(one, two, { b: one })['site.name']).toBe('not comparable');
  });

  test('lack a record, where all of them were read', () => {
    expect(compare(plain, world([site(1)]))).toMatchObject({ site: 'differs legally', article: 'not comparable' });
  });

  test('are not told where bodies are not kept', () => {
    const [a, b] = [world([site(1, { name: 'Secret' })]), world([site(1, { name: 'Hidden' })])];
    const dimensions = valueDimensions({ a: [a, a, a, a], b: [b, b, b], keepsValues: false });
    expect(JSON.stringify(dimensions)).not.toMatch(/Secret|Hidden|site1/);
  });
});
