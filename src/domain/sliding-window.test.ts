import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlidingWindow } from './sliding-window.ts';

const windowMs = 10_000;

describe('SlidingWindow', () => {
  it('never admits more than the limit in any window, and rejects only a full one', () => {
    const anyGaps = fc.array(fc.integer({ min: 0, max: 4000 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), anyGaps, (limit, gaps) => {
        const window = new SlidingWindow({ limit, windowMs });
        const admitted: number[] = [];
        let now = 1_000_000;
        const recent = () => admitted.filter((timestamp) => now - timestamp < windowMs).length;
        for (const gap of gaps) {
          now += gap;
          const isFree = recent() < limit;
          const grant = window.take('a', now);
          expect(grant.allowed).toBe(isFree);
          if (grant.allowed) admitted.push(now);
          expect(grant.remaining).toBe(limit - recent());
        }
      }),
    );
  });

  it('lets a client through that waits for Retry-After, or until Reset', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 30, maxLength: 60 }), (gaps) => {
        const wait = (use: 'retryAfterS' | 'resetMs') => {
          const window = new SlidingWindow({ limit: 5, windowMs });
          let now = 0;
          for (const gap of gaps) {
            now += gap;
            const grant = window.take('a', now);
            if (grant.allowed) continue;
            now = use === 'resetMs' ? grant.resetMs : now + grant.retryAfterS * 1000;
            expect(window.take('a', now).allowed).toBe(true);
          }
        };
        wait('retryAfterS');
        wait('resetMs');
      }),
    );
  });

  it('drops buckets that were unused for a window', () => {
    const window = new SlidingWindow({ limit: 10, windowMs });
    for (let i = 0; i < 1000; i += 1) window.take(`address-${i}`, 0);
    window.take('late', windowMs);
    expect(Object.keys(window.state().buckets)).toEqual(['late']);
  });
});
