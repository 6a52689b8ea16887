import { describe, expect, it } from 'vitest';
import { startTestEngine, toRequest } from '../../proof/test-kit/engine.ts';

describe('event streams', () => {
  it('are fifty at most: the oldest is ended for the newest, and health says so', () => {
    const { engine, ask, admin } = startTestEngine();
    const heard = Array.from({ length: 51 }, () => ({ parts: [] as string[], ended: false }));
    const stops = heard.map((stream) => {
      const response = engine.handle(toRequest('GET /events', '/__admin', {}));
      return response.stream?.(
        (text) => void stream.parts.push(text),
        () => {
          stream.ended = true;
        },
      );
    });
    ask('GET /sites');
    expect(heard.map(({ ended }) => ended)).toEqual([true, ...Array(50).fill(false)]);
    expect(heard.map(({ parts }) => parts.length)).toEqual([1, ...Array(50).fill(2)]);
    expect(JSON.parse(String(admin('GET /health').body)).forgotten).toMatchObject({ streams: 1 });
    for (const stop of stops) stop?.();
    ask('GET /sites');
    expect(heard.map(({ parts }) => parts.length)).toEqual([1, ...Array(50).fill(2)]);
  });
});
