// The few parts of Node that the suite uses, for a page. The build injects the globals and resolves `node:*` to here.
import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer/';

export { Buffer };

const { equals } = Buffer.prototype;
/** Node compares with every `Uint8Array`, the replacement only with its own kind. */
Buffer.prototype.equals = function (other: Uint8Array) {
  return equals.call(this, Buffer.from(other));
};

export const setImmediate = (act: () => void) => setTimeout(act, 0);

/** Returns a SHA-256 hash, the only one that the suite uses. */
export function createHash() {
  const hash = sha256.create();
  return {
    update(data: string | Uint8Array) {
      hash.update(typeof data === 'string' ? new TextEncoder().encode(data) : data);
      return this;
    },
    digest: () => Buffer.from(hash.digest()).toString('hex'),
  };
}

/** Whether the bytes are UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

declare const CasaVersion: string;

/** The suite reads only the manifest of the package, for its version. */
export const readFileSync = () => JSON.stringify({ name: 'casa-kit', version: CasaVersion });
