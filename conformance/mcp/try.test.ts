import { expect, test } from 'vitest';
import { bench } from '../selftest/check-bench.ts';
import { VARIANT_NAMES } from '../selftest/independent/index.ts';
import { openDoor } from './door.ts';
test.each(VARIANT_NAMES)('opens %s', async (variant) => {
  const seen: unknown[] = [];
  const b = await bench({ variant, run: (server) => ({ mcpUrl: server.mcpUrl }), checks: [{
    id: 'mcp/try', title: 't', cites: ['1.mcp-door'], level: 'must', phase: 'read', needs: ['mcp'], cost: { requests: 9 },
    async run(probe) {
      const door = await openDoor(probe);
      const r = await door.call(probe, 'customers_list', { max: 101 });
      const g = await door.call(probe, 'customers_list', { max: 100 });
      seen.push(door.tools.map(t=>t.name).join(), r.words, g.words, Array.isArray((g.data as any)?.customers));
      probe.holds(true, { clause: '1.mcp-door', expected: '', actual: '' });
    } }] });
  console.log(variant, b.verdicts, seen, b.report.checks.find(c=>c.id==='mcp/try')?.verdict, b.report.exchanges.filter(e=>e.target==='/mcp').map(e => `${e.method} ${e.status} ${(e.requestBody.text ?? '').slice(0, 60)}`).join('\n'), b.alarms);
  expect(1).toBe(1);
}, 20000);
