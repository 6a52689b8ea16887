// A part of the clients and of the matrix; clients.deep.test.ts has all.
import { expect, it } from 'vitest';
import { tryClient } from '../../src/try/index.ts';
import { correctClients } from './correct.ts';
import { mistakes } from './mistakes.ts';
import { rightParts, tour } from './parts.ts';

it.each(Object.entries(correctClients))('%s has no violations', async (_name, client) => {
  const { violations } = await tryClient(client, { cells: ['errors/', 'connections/', 'pages/', 'calls/'] });
  expect(violations).toEqual([]);
});

it.each([
  ['sends a write again after a reset', 'connections/', 'write-repeated connections'],
  ['drops calls that end at the same time', 'calls/', 'call-lost calls'],
  ['waits at most a minute', 'limits/read', 'early-retry limits'],
  ['ignores the offset of a timestamp', 'formats/timestamp', 'value-changed formats'],
  ['sends everything at once', 'load/', 'burst load'],
])('a client that %s is caught by %s', async (name, cells, id) => {
  const { violations } = await tryClient((casa) => tour(casa, { ...rightParts, ...mistakes[name] }), {
    cells: [cells],
  });
  expect(violations.map((violation) => violation.id)).toContain(id);
});
