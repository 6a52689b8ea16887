import { testCanaries } from './canaries.ts';

// The short form of canaries.deep.test.ts.
testCanaries(1);
