import { describe } from 'vitest';
import { VARIANT_NAMES } from '../independent/index.ts';
import { describeMoving } from './moving.ts';

const everything = { allowWrites: ['posts', 'replies', 'links'], maxWrites: 60, watch: true } as const;

describe('ten runs in a row raise no alarm', () => {
  describeMoving([
    ['strict', 3, 'audits at full speed', { pace: 'off' }],
    ...VARIANT_NAMES.flatMap((variant, at) => [
      [variant, 10 + at, 'plain audits', {}] as const,
      [variant, 50 + at, 'with everything allowed', everything] as const,
    ]),
  ]);
});
