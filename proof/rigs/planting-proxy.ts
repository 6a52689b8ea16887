// An HTTP proxy in front of a faithful server, which plants texts into every part of its responses. Through HTTP_PROXY
// the suite reaches it under a public name, and so treats the target as a remote deployment.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The parts of a response that can hold a text of the deployment. */
export const plantPlaces = [
  'name',
  'nested name',
  'value',
  'listed value',
  'id',
  'cursor',
  'error',
  'header value',
  'header name',
  'content type',
  'status text',
  'location',
] as const;
export type PlantPlace = (typeof plantPlaces)[number];

/** A text as it stands in JSON source or in a header. */
export interface Plant {
  readonly place: PlantPlace;
  readonly text: string;
}

/** Where the proxy listens, for HTTP_PROXY. */
export interface PlantingProxy {
  readonly url: string;
  close(): Promise<void>;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** `origin` is that of the faithful server; `plants` is asked for each response. */
export async function startPlanting(origin: string, plants: () => readonly Plant[]): Promise<PlantingProxy> {
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', origin);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const method = request.method ?? 'GET';
    const headers = new Headers();
    for (const name of ['authorization', 'content-type', 'accept']) {
      const value = request.headers[name];
      if (value !== undefined) headers.set(name, String(value));
    }
    const sent = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const answer = await fetch(`${origin}${pathname}${search}`, { method, headers, redirect: 'manual', ...sent });
    const text = await answer.text();
    const own = plants();
    const of = (place: PlantPlace) => own.filter((plant) => plant.place === place).map((plant) => plant.text);
    const kept = [...answer.headers].filter(([name]) => !/^(content-|transfer-|connection|keep|date)/.test(name));
    const type = [answer.headers.get('content-type') ?? 'application/json', ...of('content type')].join('; x=');
    const [statusText = 'OK'] = of('status text');
    response.writeHead(answer.status, statusText, {
      ...Object.fromEntries(kept),
      'content-type': type,
      ...Object.fromEntries(of('header value').map((value, index) => [`x-echo-${index}`, value])),
      ...Object.fromEntries(of('header name').map((name) => [name, '1'])),
      ...Object.fromEntries(of('location').map((path) => ['location', `https://login.example.com/${path}`])),
    });
    response.end(planted(text, own));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Marks take the place of the texts while the body is an object, because a text may be JSON escapes. */
function planted(source: string, plants: readonly Plant[]): string {
  let body: Json;
  try {
    body = JSON.parse(source) as Json;
  } catch {
    return source;
  }
  const mark = (index: number) => `__plant${index}__`;
  for (const [index, { place }] of plants.entries()) body = plant(body, place, mark(index));
  return plants.reduce((text, { text: own }, index) => text.replaceAll(mark(index), () => own), JSON.stringify(body));
}

/** Lists get the text in every record, because only what all records have becomes a shape. */
function plant(body: Json, place: PlantPlace, mark: string): Json {
  if (!isRecord(body)) return body;
  const records = recordsIn(body);
  switch (place) {
    case 'name':
      for (const record of [body, ...records]) record[mark] = 'x';
      return body;
    case 'nested name':
      for (const record of [body, ...records]) record.details = { entries: [{ [mark]: { since: 1 } }] };
      return body;
    case 'value':
      for (const record of [body, ...records]) record.remark = mark;
      return body;
    case 'listed value':
      for (const record of records)
        for (const name of ['name', 'title', 'keyword', 'text', 'status']) {
          if (name in record) record[name] = name === 'status' ? [mark] : mark;
        }
      return body;
    case 'id':
      for (const record of records) if (typeof record.id === 'string') record.id = mark;
      return body;
    case 'cursor':
      if ('cursor' in body) body.cursor = mark;
      if (isRecord(body.data) && 'nextCursor' in body.data) body.data.nextCursor = mark;
      return body;
    case 'error':
      return isRecord(body.error) ? { ...body, error: { ...body.error, message: mark, [mark]: mark } } : body;
    default:
      return body;
  }
}

function recordsIn(value: Json, depth = 0): { [name: string]: Json }[] {
  if (depth > 4 || value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.filter(isRecord);
  return Object.values(value).flatMap((member) => recordsIn(member, depth + 1));
}

function isRecord(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
