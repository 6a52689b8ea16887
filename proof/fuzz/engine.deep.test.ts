import { describeFuzz } from './engine.ts';

describeFuzz(1);
