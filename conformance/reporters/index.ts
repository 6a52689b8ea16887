// What `--report KIND=FILE` can write.
import type { Reporter } from '../events.ts';
import { json } from './json.ts';

export const reporters: readonly Reporter[] = [json];
