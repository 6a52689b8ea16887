import { testCanaries } from './canaries.ts';

testCanaries(8);
