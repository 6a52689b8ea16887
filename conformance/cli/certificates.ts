// Checks the PEM files of --ca, --cert and --key before the first request: later, the TLS library would report errors
// in its own words.

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Options } from '../scenarios/capabilities.ts';

/** Throws a UsageError for a file that is unsuitable for its flag. */
export function rejectInvalidCertificates({ ca, cert, key }: Options): void {
  if (ca !== undefined) certificateIn(ca, '--ca');
  if (cert === undefined) return;
  const certificate = certificateIn(cert, '--cert');
  const secret = privateKeyIn(key ?? cert);
  const isLacking = key === undefined && !cert.includes('PRIVATE KEY');
  if (isLacking)
    throw new UsageError('--cert names a certificate without its private key: name the file of the key with --key.');
  if (secret === null)
    throw new UsageError(
      'The private key of the certificate cannot be read: --key must be PEM, and without a passphrase.',
    );
  if (!certificate.checkPrivateKey(secret))
    throw new UsageError('The private key is not the key of the certificate: --cert and --key must belong together.');
}

function certificateIn(text: string, flag: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw new UsageError(`${flag} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----).`);
  }
}

/** Null if there is no key, or only with a passphrase. */
function privateKeyIn(text: string): KeyObject | null {
  try {
    return createPrivateKey(text);
  } catch {
    return null;
  }
}
