import { describeFuzz } from './fuzz.ts';

// The short form of fuzz.deep.test.ts.
describeFuzz(0.04);
