// The yardstick: node:http that sends the same bytes and does nothing more. It reads the body of a POST and forgets it.
// The bodies are Buffers, which is the fastest that node:http can be made to be.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [portText = '0', bodiesFile = ''] = process.argv.slice(2);
const { get, post } = JSON.parse(readFileSync(bodiesFile, 'utf8')) as { get: string; post: string };
const type = 'application/json; charset=utf-8';
const responses = [get, post].map((text) => {
  const body = Buffer.from(text);
  return { body, headers: { 'content-type': type, 'content-length': body.length } };
});

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const [ofGet, ofPost] = responses as [(typeof responses)[0], (typeof responses)[0]];
  if (request.method === 'GET') response.writeHead(200, ofGet.headers).end(ofGet.body);
  else {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => response.writeHead(200, ofPost.headers).end(ofPost.body));
  }
});
server.listen(Number(portText), '127.0.0.1');
