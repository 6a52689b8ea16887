// The public entry: a mock in this process, with or without a socket.

export type { Casa, StartMockOptions } from './adapters/start-mock.ts';
export { startMock } from './adapters/start-mock.ts';
