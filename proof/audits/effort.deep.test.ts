import { VARIANT_NAMES } from '../independent/index.ts';
import { describeEffort } from './effort.ts';

describeEffort(VARIANT_NAMES);
