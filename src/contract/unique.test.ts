import { expect, test } from 'vitest';
import { checks } from '../../conformance/checks/index.ts';
import { runConformance } from '../../conformance/index.ts';
import { unique } from './unique.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

test('lists with unique names pass, and two of a name throw', () => {
  const list = named('a', 'b');
  expect(unique('things', list, ({ name }) => name)).toBe(list);
  expect(() => unique('things', named('a', 'b', 'a'), ({ name }) => name)).toThrow('There are two things "a"');
});

test('a run rejects two checks of one id before it sends anything', async () => {
  const [check] = checks;
  const twins = check === undefined ? [] : [check, { ...check, title: 'another one' }];
  const options = { baseUrl: 'http://127.0.0.1:9/api/v1', keys: { good: 'key' }, checks: twins };
  await expect(runConformance(options)).rejects.toThrow(`There are two checks or rules "${check?.id}"`);
});
