// Certificates for one set-up, made by openssl: a separate authority, a server certificate and a client certificate.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of files in the folder of the set-up. */
export interface Certificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** Certificate and key in one file, as HAProxy wants them. */
  readonly pem: string;
  readonly clientCert: string;
  readonly clientKey: string;
}

/** `hostName` is the subject of the server certificate. */
export function makeCertificates(folder: string, hostName = '127.0.0.1'): Certificates {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder });
    if (status !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr}`);
  };
  const authority = ['-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Network table'];
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...authority);
  const isAddress = /^[\d.]+$/.test(hostName);
  const names: Readonly<Record<string, string>> = {
    server: `subjectAltName=${isAddress ? 'IP' : 'DNS'}:${hostName}`,
    client: 'extendedKeyUsage=clientAuth',
  };
  for (const [name, extension] of Object.entries(names)) {
    writeFileSync(at(`${name}.ext`), `${extension}\n`);
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-subj',
      `/CN=${name}`,
    );
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signing, '-extfile', `${name}.ext`, '-out', `${name}.pem`);
  }
  openssl('x509', '-in', 'server.pem', '-out', 'both.pem');
  const { stdout } = spawnSync('cat', ['server.pem', 'server.key'], { cwd: folder });
  writeFileSync(at('both.pem'), stdout);
  return {
    ca: at('ca.pem'),
    cert: at('server.pem'),
    key: at('server.key'),
    pem: at('both.pem'),
    clientCert: at('client.pem'),
    clientKey: at('client.key'),
  };
}
