import { describeKeyLimiter } from './key-limiter.ts';

// The short form of key-limiter.deep.test.ts.
describeKeyLimiter(20);
