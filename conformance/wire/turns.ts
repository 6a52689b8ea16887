// A turn of the event loop, for whoever waits until others have done with what they were given.
export { setImmediate as nextTurn } from 'node:timers/promises';
