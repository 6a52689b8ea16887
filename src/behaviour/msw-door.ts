// The door through MSW: requests of this process are intercepted, nothing leaves it.
import type { MockOptions } from '../adapters/mock-engine.ts';
import type { OpenDoor } from './doors.ts';

export async function openMswDoor(_options: MockOptions): Promise<OpenDoor> {
  throw new Error('The MSW adapter is not there yet.');
}
