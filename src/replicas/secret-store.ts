// Encrypts the secrets in the log. A key becomes its id; a request that contains one elsewhere, and every checkpoint,
// is encrypted. The secret for both comes from the keys of the start world, which each replica has and the log never
// contains.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Injected, so a simulation can do without. */
export interface SecretStore {
  /** The same for the same key, and not to be read back. */
  idOf(key: string): string;
  seal(text: string): string;
  /** Throws for what another secret sealed. */
  open(sealed: string): string;
  pack(text: string): Promise<Uint8Array>;
  unpack(packed: Uint8Array): Promise<string>;
}

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
/** Clients use few keys; a client that tries many must not fill the memory. */
const idsMax = 10_000;

export function createSecretStore(secrets: readonly string[]): SecretStore {
  const secret = createHash('sha256')
    .update(JSON.stringify(['casa shared', ...secrets]))
    .digest();
  const ids = new Map<string, string>();
  const sealBytes = (bytes: Uint8Array): Buffer => {
    const iv = randomBytes(ivBytes);
    const sealing = createCipheriv(cipher, secret, iv);
    const body = Buffer.concat([sealing.update(bytes), sealing.final()]);
    return Buffer.concat([iv, sealing.getAuthTag(), body]);
  };
  const openBytes = (sealed: Uint8Array): Buffer => {
    const opening = createDecipheriv(cipher, secret, sealed.subarray(0, ivBytes));
    opening.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([opening.update(sealed.subarray(ivBytes + tagBytes)), opening.final()]);
  };
  return {
    idOf(key) {
      const known = ids.get(key);
      if (known !== undefined) return known;
      const id = createHmac('sha256', secret).update(key).digest('base64url').slice(0, 22);
      if (ids.size >= idsMax) ids.clear();
      ids.set(key, id);
      return id;
    },
    seal: (text) => sealBytes(Buffer.from(text)).toString('base64'),
    open: (sealed) => openBytes(Buffer.from(sealed, 'base64')).toString(),
    pack: async (text) => sealBytes(await promisify(gzip)(text, { level: 1 })),
    unpack: async (packed) => (await promisify(gunzip)(openBytes(packed))).toString(),
  };
}
