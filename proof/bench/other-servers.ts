// Mock servers that people would otherwise take, set up the fast way: fixed answers, no templates, no delays.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { provide } from './installed.ts';
import type { StartOptions } from './server-process.ts';
import { type Facts, folder, isOk } from './targets.ts';

/** A server of others, ready to be started. */
export interface OtherServer {
  readonly options: StartOptions;
  /** The packages that users install. */
  readonly installed: string;
  /** Whether it takes part in posting. */
  readonly posts: boolean;
  /** The path that stands for `/api/v1/articles?limit=20`. */
  readonly listPath?: string;
}

/** The bytes that every server has to send. */
interface Bodies {
  readonly get: string;
  readonly post: string;
}

const bodiesOf = ({ bodiesFile }: Facts) => JSON.parse(readFileSync(bodiesFile, 'utf8')) as Bodies;

/** Our own document, in which the example of the list is the page that the others send. */
export function documentWithPage(facts: Facts): string {
  const document = parse(readFileSync('spec/openapi.yaml', 'utf8'));
  document.components.examples.ListArticlesSuccess.value = JSON.parse(bodiesOf(facts).get);
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

/** Answers with the example of the document. */
export function prism(facts: Facts): OtherServer {
  const installed = provide('@stoplight/prism-cli@5.16.0');
  const entry = join(installed, '@stoplight/prism-cli/dist/index.js');
  const document = documentWithPage(facts);
  return {
    installed,
    posts: true,
    // It leaves out the path of the base URL.
    listPath: '/articles?limit=20',
    options: {
      name: 'Prism',
      argv: (port) => [entry, 'mock', '-h', '127.0.0.1', '-p', String(port), '-v', 'error', document],
      isSilenced: true,
      probe: (port) => isOk(`http://127.0.0.1:${port}/articles`, facts.key),
    },
  };
}

/**
 * A resource of 20 rows. It answers with the bare rows, and its posts grow a file with each request: it only reads
 * here.
 */
export function jsonServer(facts: Facts): OtherServer {
  const installed = provide('json-server@0.17.4');
  const data = join(folder, 'db.json');
  writeFileSync(data, JSON.stringify({ articles: JSON.parse(bodiesOf(facts).get).data }));
  const entry = join(installed, 'json-server/lib/cli/bin.js');
  return {
    installed,
    posts: false,
    listPath: '/articles?_limit=20',
    options: {
      name: 'json-server',
      argv: (port) => [entry, data, '--host', '127.0.0.1', '--port', String(port), '--quiet'],
      isSilenced: true,
      probe: (port) => isOk(`http://127.0.0.1:${port}/articles`, facts.key),
    },
  };
}

/** Two routes with fixed bodies and no templates. */
export function mockoon(facts: Facts): OtherServer {
  const installed = provide('@mockoon/cli@9.9.0');
  const entry = join(installed, '@mockoon/cli/bin/run.js');
  const { get, post } = bodiesOf(facts);
  const routes = [fixedRoute('get', 'articles', get), fixedRoute('post', 'connect/accounts/:accountId/posts', post)];
  const environment = {
    uuid: 'casa',
    name: 'casa',
    endpointPrefix: 'api/v1',
    latency: 0,
    routes,
    rootChildren: routes.map(({ uuid }) => ({ type: 'route', uuid })),
  };
  const data = join(folder, 'mockoon.json');
  writeFileSync(data, JSON.stringify(environment));
  const flags = ['--repair', '--disable-log-to-file', '--disable-admin-api'];
  return {
    installed,
    posts: true,
    options: {
      name: 'Mockoon',
      argv: (port) => [entry, 'start', '--data', data, '--port', String(port), '--hostname', '127.0.0.1', ...flags],
      isSilenced: true,
      probe: (port) => isOk(`http://127.0.0.1:${port}/api/v1/articles`, facts.key),
    },
  };
}

function fixedRoute(method: string, endpoint: string, body: string) {
  const headers = [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }];
  const answer = { uuid: `${method} answer`, body, statusCode: 200, headers, bodyType: 'INLINE', default: true };
  return {
    uuid: `${method} ${endpoint}`,
    type: 'http',
    method,
    endpoint,
    responses: [{ ...answer, latency: 0, rules: [], disableTemplating: true }],
  };
}

/** With Express, validating requests against our document and answering with its examples. */
export function openapiBackend(facts: Facts): OtherServer {
  const installed = provide('openapi-backend@5.21.2', 'express@5.3.0');
  // Without a loader, which would count as its own start and memory.
  const script = ['proof/bench/openapi-backend-server.ts'];
  const document = documentWithPage(facts);
  return {
    installed,
    posts: true,
    options: {
      name: 'openapi-backend',
      argv: (port) => [...script, String(port), installed, document],
      isSilenced: true,
      probe: (port) => isOk(`http://127.0.0.1:${port}/api/v1/articles`, facts.key),
    },
  };
}
