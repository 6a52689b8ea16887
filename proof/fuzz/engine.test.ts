import { describeFuzz } from './engine.ts';

// The short form of engine.deep.test.ts.
describeFuzz(0.04);
