// One suite over every door: the engine called in this process, the fetch handler, a socket, and MSW. Every
// mock is strict: an answer against the contract turns into a 500, which no test expects.

import { afterEach, describe, it } from 'vitest';
import { openDoor as openCoreDoor } from '../../src/doors/door.ts';
import { bodyText, type CoreRequest } from '../../src/http/message.ts';
import { basePath } from '../../src/http/route.ts';
import { type MockOptions, prepareEngine } from '../../src/mock/mock-engine.ts';
import type { Casa } from '../../src/testing/casa.ts';
import { createMock } from '../../src/testing/create-mock.ts';
import { createCasa } from '../../src/testing/engine-casa.ts';
import { startMock } from '../../src/testing/start-mock.ts';
import type { OpenDoor, Send } from './answer.ts';
import { Answer, toAnswer } from './answer.ts';
import { openMswDoor } from './msw-door.ts';

/** What is not as usual about a request. */
interface Wish {
  /** The first organization's good key when absent; null sends none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text or bytes as they are. */
  readonly body?: object | string | Uint8Array;
  /** The address to come from. */
  readonly from?: string;
}

/** A mock behind a door. */
export interface Stage {
  readonly casa: Casa;
  /** `target` is a path below the base path with a query if wanted, or a whole URL of the mock. */
  ask(method: string, target: string, wish?: Wish): Promise<Answer>;
}

/** What a suite is given for the door that it runs through. */
export interface Suite {
  readonly it: typeof it;
  /** Whether the door answers for its whole origin; MSW leaves what is not the mock's to others. */
  readonly ownsOrigin: boolean;
  /** Opens a mock that is closed after the test. */
  open(options?: MockOptions): Promise<Stage>;
}

/** Opens a mock behind one kind of door. */
type DoorOpener = (options: MockOptions) => Promise<OpenDoor>;

const doors: readonly (readonly [name: string, open: DoorOpener])[] = [
  ['the engine in this process', openEngine],
  ['the fetch handler', openFetch],
  ['a socket', openSocket],
  ['MSW', openMswDoor],
];

/** Describes something that holds whichever door a request comes through. */
export function describeDoors(title: string, define: (suite: Suite) => void): void {
  describe.each(doors)(`${title}, through %s`, (name, openDoor) => {
    const opened: Casa[] = [];
    afterEach(async () => {
      for (const casa of opened.splice(0)) await casa.close();
    });
    define({
      it,
      ownsOrigin: name !== 'MSW',
      async open(options = {}) {
        const { casa, send } = await openDoor({ strict: true, ...options });
        opened.push(casa);
        return { casa, ask: (method, target, wish) => ask({ casa, send }, { method, target, wish: wish ?? {} }) };
      },
    });
  });
}

function ask(
  { casa, send }: OpenDoor,
  { method, target, wish }: { method: string; target: string; wish: Wish },
): Promise<Answer> {
  const { key = casa.keys.list.length > 0 ? casa.keys.good : null, headers, body, from } = wish;
  const url = new URL(target.startsWith('/') ? `${casa.baseUrl}${target}` : target);
  return send(url, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      ...headers,
    },
    body: body === undefined ? null : toBytes(body),
  });
}

const encoder = new TextEncoder();

function toBytes(body: object | string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return encoder.encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Without fetch and without a socket: what fails here fails in the engine. */
async function openEngine(options: MockOptions): Promise<OpenDoor> {
  const { engine } = await prepareEngine(options);
  const door = openCoreDoor(engine, {});
  const origin = 'http://casa.mock';
  const casa = createCasa({
    engine,
    origin,
    baseUrl: `${origin}${basePath}`,
    handler: () => Promise.reject(new Error('This door has no fetch.')),
    close: async () => {},
  });
  const send: Send = async (url, { method, headers, body }) => {
    const request: CoreRequest = {
      method,
      headers,
      body,
      path: url.pathname,
      query: url.search.slice(1),
      peer: '127.0.0.1',
      origin,
    };
    const response = door(request);
    return new Answer({ status: response.status, headers: response.headers, text: bodyText(response) });
  };
  return { casa, send };
}

async function openFetch(options: MockOptions): Promise<OpenDoor> {
  const casa = await createMock(options);
  return { casa, send: async (url, init) => toAnswer(await casa.fetch(url, init)) };
}

async function openSocket(options: MockOptions): Promise<OpenDoor> {
  const casa = await startMock(options);
  return { casa, send: async (url, init) => toAnswer(await fetch(url, init)) };
}
