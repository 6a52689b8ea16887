import { describeKeyLimiter } from './key-limiter.ts';

describeKeyLimiter(4);
