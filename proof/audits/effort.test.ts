import { describeEffort } from './effort.ts';

// The short form: every variant is in effort.deep.test.ts.
describeEffort(['plain', 'mixed']);
