import { variantNames } from '../independent/index.ts';
import { describeEffort, describeKeyLimiter, describeMoving, everything } from './audits.ts';

describeEffort(variantNames.filter((_, at) => at % 3 === 2));
describeKeyLimiter(7);
describeMoving(3, [
  ['plain', 3, 'audits at full speed', { pace: 'off' }],
  ...variantNames.flatMap((variant, at) => [
    [variant, 10 + at, 'plain audits', {}] as const,
    [variant, 50 + at, 'with everything allowed', everything] as const,
  ]),
]);
