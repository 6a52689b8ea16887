// All attacks of the storm. Each has a share, so that rare and costly ones do not drown the others.
import type { Attack } from '../field.ts';
import { bodyAttacks } from './bodies.ts';
import { requestAttacks } from './requests.ts';
import { wireAttacks } from './wire.ts';

export const attacks: readonly Attack[] = [...requestAttacks, ...wireAttacks, ...bodyAttacks];
