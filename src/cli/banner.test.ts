import { expect, it } from 'vitest';
import { startTestEngine } from '../../fixtures/test-kit/engine.ts';
import { plain } from '../terminal/paint.ts';
import { banner } from './banner.ts';

const at = { version: '0.1.0', baseUrl: 'http://127.0.0.1:4010/api/v1', origin: 'http://127.0.0.1:4010' };

it('lists all accounts of the default world', () => {
  const { world } = startTestEngine().engine;
  const text = banner({ ...at, world, cors: true, worldName: 'default', profile: [], notices: [], paint: plain });
  const accounts = [...world.organizations.values()].flatMap(({ accounts: all }) => [...all.keys()]);
  expect(accounts.filter((id) => !text.includes(id))).toEqual([]);
});
