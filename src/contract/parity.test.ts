import { describe, expect, it } from 'vitest';
import { createMock } from '../testing/create-mock.ts';
import { behaviors } from './generated/behaviors.ts';
import { parityOf, spellCell } from './parity.ts';

const learnt = { on: '2026-11-24', target: 'staging.example.com' };
const seenAll = Object.fromEntries(Object.keys(behaviors).map((id) => [id, 40]));

describe('the parity card', () => {
  it('has each behavior in a cell, except the group of inputs and the prefix of keys', () => {
    const { operations } = parityOf();
    const shown = new Set(
      Object.values(operations).flatMap((row) => Object.values(row).flatMap((cell) => cell?.details)),
    );
    expect(Object.keys(behaviors).filter((id) => !shown.has(id))).toEqual(['badArticleQuery', 'keyPrefix']);
  });

  it('without a profile gives each unknown detail a reason and a command', () => {
    const { details, target } = parityOf();
    expect(target).toBeNull();
    expect(Object.values(details).filter(({ state }) => state === 'learnt')).toEqual([]);
    for (const { state, reason, command } of Object.values(details)) {
      expect(reason).not.toBeNull();
      expect(command === null).toBe(state === 'assumed');
    }
  });

  it('shows the least known detail of a cell', () => {
    const { articleOrder: _, ...seen }: Record<string, number> = { ...seenAll, articleEnd: 3 };
    const all = parityOf({ ...learnt, seen: { ...seen, articleOrder: 7 } });
    expect(spellCell(all.operations.listArticles.order, all)).toBe('learnt 3');
    const less = parityOf({ ...learnt, seen, unknown: { articleOrder: 'not observed; needs two articles' } });
    expect(spellCell(less.operations.listArticles.order, less)).toBe('unknown 1 of 3');
    expect(less.details.articleOrder?.reason).toBe('not observed; needs two articles');
    expect(spellCell(less.operations.getInsights.shape, less)).toMatch(/^assumed 1 of/);
    expect(spellCell(less.operations.listSites.order, less)).toBe('stated');
    expect(spellCell(less.operations.getSite.effects, less)).toBe('-');
  });

  it('names the flags that a write needs, and the check that found a violation', () => {
    const { details } = parityOf({ ...learnt, seen: {}, unknown: { idCase: 'ids/list found a violation there' } });
    expect(details.permalink?.command).toBe(
      'npx casa-conformance calibrate --base-url https://staging.example.com/api/v1 --profile casa.profile.json --account ID --allow-writes=posts --minutes 10',
    );
    expect(details.idCase?.command).toBe(
      'npx casa-conformance --base-url https://staging.example.com/api/v1 --only ids/list',
    );
  });

  it('uses http for a target without TLS', () => {
    const { details } = parityOf({ on: '2026-11-24', seen: {}, target: 'http://127.0.0.1:4379' });
    expect(details.idCase?.command).toContain(' --base-url http://127.0.0.1:4379/api/v1 ');
  });

  it('replaces a host or a file name that a shell could run', () => {
    const { details } = parityOf({ on: '2026-11-24', seen: {}, target: 'x; rm -rf ~' }, '$(id).json');
    expect(details.idCase?.command).toBe(
      'npx casa-conformance calibrate --base-url https://HOST/api/v1 --profile FILE --minutes 3',
    );
  });

  it('is served by the mock that follows the profile', async () => {
    const origin = { casaProfile: 1, kit: '0', contract: '1.0.0', target: learnt.target, learntOn: learnt.on } as const;
    const behaviors = { articleOrder: { value: 'oldest', seen: 9 } } as const;
    const casa = await createMock({ profile: { ...origin, behaviors, unknown: { idCase: 'no data' }, notLearnt: [] } });
    const card = await (await casa.fetch(`${new URL(casa.baseUrl).origin}/__admin/parity`)).json();
    expect(card.details.articleOrder).toMatchObject({ state: 'learnt', seen: 9 });
    expect([card.target, card.details.idCase.reason]).toEqual(['staging.example.com', 'no data']);
  });
});
