import { describe, expect, it } from 'vitest';
import { toMcp, toolCall } from '../../fixtures/test-kit/engine.ts';
import { loadProtocol } from './load-protocol.ts';
import { findUnreadable } from './message.ts';

const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = wrap(value);
  return value;
};

describe('findUnreadable', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a text', 'Zürich 🙂'],
    ['an empty object', {}],
    ['rows', { rows: [{ phone: '+1', name: null }] }],
    ['a hundred levels of lists', nested(100, (inner) => [inner])],
    ['a hundred levels of objects', nested(100, (a) => ({ a }))],
  ])('finds nothing in %s', (_what, value) => {
    expect(findUnreadable(value)).toBeNull();
  });

  it.each<[string, unknown, string, string]>([
    ['a text alone', '\ud800', '', 'unicode'],
    ['a text', { text: 'a\udfffb' }, '/text', 'unicode'],
    ['a text in a list', { rows: [{ name: 'ok' }, { name: '\ud83d' }] }, '/rows/1/name', 'unicode'],
    ['halves in the wrong order', { text: '\udc00\ud800' }, '/text', 'unicode'],
    ['a name', { a: { '\ud800': 1 } }, '/a', 'unicode'],
    ['a hundred and one levels of lists', nested(101, (inner) => [inner]), '/0/0/0', 'depth'],
    ['six thousand levels of objects', nested(6000, (a) => ({ a })), '/a/a/a', 'depth'],
  ])('finds it in %s', (_what, value, path, rule) => {
    const issue = findUnreadable(value);
    expect(issue?.rule).toBe(rule);
    expect(issue?.path.startsWith(path)).toBe(true);
    expect(issue?.path.length).toBeLessThanOrEqual(100);
  });
});

it('evaluates no text, neither when the protocol is loaded nor when it speaks', async () => {
  let evaluations = 0;
  const original = globalThis.Function;
  globalThis.Function = new Proxy(original, {
    construct(target, args) {
      evaluations += 1;
      return Reflect.construct(target, args);
    },
  });
  try {
    const { respond } = await loadProtocol();
    const value = toolCall('inbox_list');
    const request = toMcp(value, null);
    const call = { tool: 'inbox_list', values: {}, problem: null } as const;
    const message = { value, id: 1, method: 'tools/call', call, isReadable: true } as const;
    const response = await respond(request, message, () => ({ content: [], structuredContent: { data: 7 } }));
    expect(response.body).toContain('"data":7');
  } finally {
    globalThis.Function = original;
  }
  expect(evaluations).toBe(0);
});
