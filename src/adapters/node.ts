// The socket side: node:http in front of an engine.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { basePath } from '../http/route.ts';
import { type DoorEngine, type DoorOptions, httpDate, openDoor, refusalBody } from './door.ts';
import { answerBadHttp } from './node/bad-http.ts';
import { Connections } from './node/connection.ts';
import { type Arrival, type DrainLimits, declaresTooLarge, hasBody, readBody, toCore } from './node/incoming.ts';
import { ListenError } from './node/listen-error.ts';
import { type SendTiming, send, sendTiming } from './node/outgoing.ts';

export { ListenError } from './node/listen-error.ts';

export interface ListenOptions extends DoorOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly timing?: Partial<ServerTiming> | undefined;
  readonly drain?: DrainLimits | undefined;
}

export interface ServerTiming extends SendTiming {
  /** How long a client may take for the head of a request, and for all of it. */
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** How often the two limits above are looked at. */
  readonly checkMs: number;
  /** How long a stop waits for answers that are under way. */
  readonly graceMs: number;
}

const defaultTiming: ServerTiming = {
  ...sendTiming,
  headersMs: 15_000,
  requestMs: 60_000,
  keepAliveMs: 65_000,
  checkMs: 5_000,
  graceMs: 3_000,
};

export interface NodeServer {
  readonly server: Server;
  readonly host: string;
  readonly port: number;
  /** Where the API is, such as `http://127.0.0.1:4010/api/v1`. */
  readonly baseUrl: string;
  /** Answers under way are finished, within a bounded time; everything else is closed at once. */
  close(): Promise<void>;
}

/** Starts a server. Rejects with a {@link ListenError} when it cannot. */
export async function listen(engine: DoorEngine, options: ListenOptions): Promise<NodeServer> {
  const { host, port } = options;
  const timing = { ...defaultTiming, ...options.timing };
  const serving: Serving = {
    options,
    timing,
    connections: new Connections(),
    ownOrigin: '',
  };
  const server = createHttpServer(timing);
  serve(server, engine, serving);
  await bind(server, { host, port });
  const bound = (server.address() as AddressInfo).port;
  serving.ownOrigin = `http://${reachableHost(host)}:${bound}`;
  let closed: Promise<void> | undefined;
  return {
    server,
    host,
    port: bound,
    baseUrl: `${serving.ownOrigin}${basePath}`,
    close() {
      closed ??= stop(server, serving.connections, timing.graceMs);
      return closed;
    },
  };
}

function createHttpServer({ headersMs, requestMs, keepAliveMs, checkMs }: ServerTiming): Server {
  const server = createServer({
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    // A request without Host gets an answer in the contract's form, which node's own would not be.
    requireHostHeader: false,
    noDelay: true,
  });
  // A client that closes its side after the request still wants the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}

function bind(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new ListenError(error, { host, port }));
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

// "All addresses" is nothing that a client could connect to everywhere.
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

interface Serving {
  readonly options: ListenOptions;
  readonly timing: ServerTiming;
  readonly connections: Connections;
  /** Known once the port is. */
  ownOrigin: string;
}

function serve(server: Server, engine: DoorEngine, serving: Serving): void {
  const { connections } = serving;
  const answer = createAnswer(engine, serving);
  const refuse = (socket: Duplex, code?: string) => {
    const connection = connections.of(socket as Socket);
    if (connection) connections.giveUp(connection, () => answerBadHttp(socket, code, httpDate(engine)));
    else socket.destroy();
  };
  server.on('connection', (socket) => connections.add(socket));
  server.on('request', answer);
  server.on('checkContinue', (incoming, outgoing) => {
    // Refused before it is sent: the client may then keep its body, so the connection cannot go on.
    if (declaresTooLarge(incoming)) outgoing.shouldKeepAlive = false;
    else outgoing.writeContinue();
    answer(incoming, outgoing);
  });
  server.on('checkExpectation', answer);
  server.on('connect', (_request, socket) => refuse(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket, error.code));
}

function createAnswer(engine: DoorEngine, serving: Serving) {
  const { options, timing, connections } = serving;
  const door = openDoor(engine, { cors: options.cors, onBug: options.onBug ?? printBug });
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { socket } = incoming;
    const connection = connections.of(socket);
    if (!connection) return;
    connection.owed += 1;
    outgoing.on('close', () => connections.settle(connection));
    const arrival: Arrival = {
      peer: connection.peer,
      connection: connection.owed === 1 ? connection.id : undefined,
      ownOrigin: serving.ownOrigin,
    };
    const handle = (body: Uint8Array | null) => {
      // Who waited for leave to send its body will not send it after a refusal.
      const unread = body === null || incoming.complete || incoming.headers.expect !== undefined ? null : incoming;
      send(outgoing, door(toCore(incoming, body, arrival)), { connections, timing, socket, unread });
    };
    if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') refuseHostless(outgoing, engine);
    else if (hasBody(incoming)) {
      connection.reading = incoming;
      readBody(incoming, handle, options.drain);
    } else handle(null);
  };
}

function refuseHostless(outgoing: ServerResponse, engine: DoorEngine): void {
  const body = refusalBody('An HTTP/1.1 request needs a Host header.');
  outgoing.sendDate = false;
  outgoing.writeHead(400, {
    'content-type': 'application/json; charset=utf-8',
    date: httpDate(engine),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  outgoing.end(body);
}

function stop(server: Server, connections: Connections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => connections.destroy(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    connections.stop();
  });
}

function printBug(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`casa: a bug of casa-kit answered 500: ${message}\n`);
}
