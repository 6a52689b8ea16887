import { describe } from 'vitest';
import { describeMoving } from './moving.ts';

describe('ten audits in a row raise no alarm', () => {
  describeMoving([
    ['plain', 3, 'plain audits', {}],
    ['lavish', 4, 'plain audits', {}],
  ]);
});
