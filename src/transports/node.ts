// The socket side: node:http in front of an engine.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { bodyBytesMax } from '../contract/generated/limits.ts';
import type { Passage } from '../http/message.ts';
import { basePath } from '../http/route.ts';
import { originAt } from '../options/mock-options.ts';
import { respondBadHttp } from './node/bad-http.ts';
import { type Connection, Connections } from './node/connection.ts';
import { openLane } from './node/fast-path/plain-lane.ts';
import { bind, createHttpServer, defaultTiming, type ServerTiming, stop } from './node/http-server.ts';
import { type Arrival, type DrainLimits, hasBody, readBody, toCore } from './node/incoming.ts';
import { type Sender, send } from './node/outgoing.ts';
import { Intake, openFeeds } from './node/request-feed.ts';
import { httpDate, openTransports, rejectionBody, type TransportEngine, type TransportOptions } from './transport.ts';

export { ListenError } from './node/http-server.ts';

/** `timing` and `drain` replace single defaults; tests shorten them. */
export interface ListenOptions extends TransportOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Where clients reach the mock; null, as when absent, for the host that each request names. */
  readonly publicUrl?: string | null | undefined;
  /** Whether a proxy says where it was reached: `X-Forwarded-Proto` and `X-Forwarded-Host`. */
  readonly trustProxy?: boolean | undefined;
  readonly timing?: Partial<ServerTiming> | undefined;
  readonly drain?: DrainLimits | undefined;
  /** Whether plain requests pass by node's parser; true unless the environment has `CASA_FAST_PATH=off`. */
  readonly fastPath?: boolean | undefined;
}

/** A server that listens. Closing twice is closing once. */
export interface NodeServer {
  readonly server: Server;
  readonly host: string;
  readonly port: number;
  /** Where the API is, such as `http://127.0.0.1:4010/api/v1`. */
  readonly baseUrl: string;
  /** Responses under way are finished, within a bounded time; everything else is closed at once. */
  close(): Promise<void>;
}

/** Starts a server. Rejects with a {@link ListenError} when it cannot. */
export async function listen(engine: TransportEngine, options: ListenOptions): Promise<NodeServer> {
  const { host, port } = options;
  const timing = { ...defaultTiming, ...options.timing };
  const onDrop = () => engine.closedConnection?.();
  const serving: Serving = {
    options,
    timing,
    connections: new Connections(onDrop),
    intake: new Intake(onDrop),
    ownOrigin: '',
  };
  const server = createHttpServer(timing);
  serve(server, engine, serving);
  await bind(server, { host, port });
  const bound = (server.address() as AddressInfo).port;
  serving.ownOrigin = originAt(host, bound);
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

/** All that one server's requests share. */
interface Serving {
  readonly options: ListenOptions;
  readonly timing: ServerTiming;
  readonly connections: Connections;
  readonly intake: Intake;
  /** Known once the port is. */
  ownOrigin: string;
}

/**
 * Every event of node's server that can begin a response. `connect` and `clientError` give a bare socket, so their
 * rejections are written by hand.
 */
function serve(server: Server, engine: TransportEngine, serving: Serving): void {
  const { connections, intake, timing, options } = serving;
  const { cors, onBug = printBug, persistence } = options;
  const transport = openTransports(engine, { cors, onBug, persistence });
  const apiResponse = createResponse(engine, serving, transport);
  const reject = (socket: Duplex, code?: string) => {
    const connection = connections.of(socket as Socket);
    if (connection) connections.giveUp(connection, () => respondBadHttp(socket, code, httpDate(engine)));
    else socket.destroy();
  };
  const startFeed = openFeeds(server, connections, intake);
  const { fastPath = process.env.CASA_FAST_PATH !== 'off' } = options;
  const enter =
    startFeed && fastPath
      ? openLane(server, {
          connections,
          intake,
          timing,
          startFeed,
          respond: (plain, connection, passage) =>
            transport(toCore(plain, plain.body, arrivalOf(connection, passage, serving))),
          reject,
        })
      : startFeed;
  server.on('connection', (socket) => {
    const connection = connections.add(socket);
    enter?.(connection);
  });
  server.on('request', apiResponse);
  server.on('checkContinue', (incoming, outgoing) => {
    // The head shows it. The client can then keep its body, so the connection cannot be reused.
    if (Number(incoming.headers['content-length']) > bodyBytesMax) outgoing.shouldKeepAlive = false;
    else outgoing.writeContinue();
    apiResponse(incoming, outgoing);
  });
  server.on('checkExpectation', apiResponse);
  server.on('connect', (_request, socket) => reject(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => reject(socket, error.code));
}

/** From one of node's requests to its response. Nothing in it may throw: a thrown error would end the process. */
function createResponse(engine: TransportEngine, serving: Serving, transport: ReturnType<typeof openTransports>) {
  const { options, timing, connections, intake } = serving;
  const { onBug = printBug } = options;
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { socket } = incoming;
    const connection = connections.of(socket);
    if (!connection) return;
    connection.owed += 1;
    const { ready } = connection;
    connection.ready = null;
    const passage = ready?.passage ?? connections.meet(connection);
    outgoing.on('close', () => {
      connections.wrote(passage);
      connections.settle(connection);
    });
    const handle = (body: Uint8Array | null) => {
      // A client that waited for permission to send its body will not send it after a rejection.
      const isUnread = body !== null && !incoming.complete && incoming.headers.expect === undefined;
      const unread = isUnread ? restOf(incoming, connection) : null;
      const request = toCore(incoming, body, arrivalOf(connection, passage, serving));
      const sender: Sender = { connections, intake, timing, socket, unread, onBug: (error) => onBug(error, request) };
      const response = ready?.response ?? transport(request);
      if (response instanceof Promise) response.then((late) => send(outgoing, late, sender));
      else send(outgoing, response, sender);
    };
    if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') rejectHostless(outgoing, engine);
    else if (hasBody(incoming)) {
      connection.reading = incoming;
      readBody(incoming, handle, { intake, drain: options.drain });
    } else handle(null);
  };
}

/** Resolves when the rest of an already handled request was read, or is no longer needed. */
function restOf(incoming: IncomingMessage, connection: Connection): Promise<void> {
  return new Promise((resolve) => {
    connection.giveUpBody = resolve;
    incoming.on('close', () => {
      connection.giveUpBody = null;
      resolve();
    });
  });
}

function arrivalOf(connection: Connection, passage: Passage, { ownOrigin, options }: Serving): Arrival {
  return {
    peer: connection.peer,
    connection: connection.owed === 1 && !connection.isAhead ? connection.id : undefined,
    passage,
    onLeave: connection.onLeave,
    ownOrigin,
    publicUrl: options.publicUrl ?? null,
    trustProxy: options.trustProxy ?? false,
  };
}

/** HTTP/1.1 obliges a server to reject a request without Host. It never reaches the engine, so no limiter counts it. */
function rejectHostless(outgoing: ServerResponse, engine: TransportEngine): void {
  const body = rejectionBody('An HTTP/1.1 request needs a Host header.');
  outgoing.sendDate = false;
  outgoing.writeHead(400, {
    'content-type': 'application/json; charset=utf-8',
    date: httpDate(engine),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  outgoing.end(body);
}

function printBug(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`casa: a bug of casa-kit returned 500: ${message}\n`);
}
