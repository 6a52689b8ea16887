// Heads and bodies as node wants them.
import type { CoreResponse } from '../../http/message.ts';

// A flat list goes out as it is; an object would be taken apart again by node.
export function headOf({ headers }: CoreResponse): string[] {
  const head: string[] = [];
  for (const name in headers) head.push(name, headers[name] as string);
  return head;
}

export function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

export function bytesOf(body: string | Uint8Array): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
}
