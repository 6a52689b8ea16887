// The door through MSW: requests of this process are intercepted, nothing leaves it. It listens only while its mock is
// open, because the other doors of a test file use the real network.
import { setupServer } from 'msw/node';
import type { MockOptions } from '../../src/mock/mock-engine.ts';
import { createMock } from '../../src/testing/create-mock.ts';
import { casaHandlers } from '../../src/testing/msw.ts';
import type { OpenDoor } from './answer.ts';
import { toAnswer } from './answer.ts';

export async function openMswDoor(options: MockOptions): Promise<OpenDoor> {
  const casa = await createMock({ ...options, baseUrl: 'https://api.casa.example/api/v1' });
  const server = setupServer(...casaHandlers(casa));
  server.listen();
  const close = async () => {
    server.close();
    await casa.close();
  };
  return { casa: { ...casa, close }, send: async (url, init) => toAnswer(await fetch(url, init)) };
}
