import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { rejectInvalidCertificates } from './certificates.ts';

/** For client.test; its key was discarded. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBgjCCASmgAwIBAgIUBrhqNAKh0Zh2dAtOU4bI1VIDIG8wCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLY2xpZW50LnRlc3QwIBcNMjYxMTIzMDExMzI3WhgPMjEyNjEw
MzAwMTEzMjdaMBYxFDASBgNVBAMMC2NsaWVudC50ZXN0MFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEERa5+tmWly+HmiozlwC7HIPBcuKrQbw7n/syDiewy/wMBfe2
O636YrtnJcadal2+Gmc4paA2DHnsoFktWbfEkaNTMFEwHQYDVR0OBBYEFOrk0wnb
CR/q22SegMHp6EhmDneEMB8GA1UdIwQYMBaAFOrk0wnbCR/q22SegMHp6EhmDneE
MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgbDLlgNk8Ripp47Hw
uXqoDGBMBlGMczB7Q79QMaooSS0CIGOS6X/h3l3h4QuWiPTCWz6telUCeOCpBL7f
HS/N13lY
-----END CERTIFICATE-----`;
const key = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const locked = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
  .toString();

test.each<[string, Parameters<typeof rejectInvalidCertificates>[0], string]>([
  ['an authority that is not a certificate', { ca: key }, '--ca holds no certificate'],
  ['an empty authority', { ca: '' }, '--ca holds no certificate'],
  ['an invalid certificate', { cert: 'x', key }, '--cert holds no certificate'],
  ['a certificate without its key', { cert }, 'name the file of the key with --key'],
  ['an invalid key', { cert, key: cert }, 'cannot be read'],
  ['a key with a passphrase', { cert, key: locked }, 'without a passphrase'],
  ['the key of another certificate', { cert, key }, 'must belong together'],
  ['the key of another certificate in one file with it', { cert: `${cert}\n${key}` }, 'must belong together'],
])('rejects %s', (_, options, sentence) => {
  expect(() => rejectInvalidCertificates(options)).toThrow(sentence);
});

test('takes an authority, and no certificate at all', () => {
  expect(() => rejectInvalidCertificates({ ca: `first a word\n${cert}` })).not.toThrow();
  expect(() => rejectInvalidCertificates({})).not.toThrow();
});
