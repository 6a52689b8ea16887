// Values that must not stand in a report or a file: keys, spoilt keys, and the values of extra headers.
import { createHash } from 'node:crypto';
import type { Keys } from '../exchange/request.ts';
import { type Spoilt, spoil, spoiltWays } from '../exchange/request.ts';
import { keyRows } from '../probe/capabilities.ts';
import type { Secret } from '../report/redact.ts';
import type { RunOptions } from './options.ts';

/** Each is named by the variable or header that holds it, so that a curl line of a report can be run. */
export function secretsOf({ keys, headers, baseUrl }: Pick<RunOptions, 'keys' | 'headers' | 'baseUrl'>): Secret[] {
  const named: (readonly [string | undefined, string])[] = [
    ...(['good', 'second', 'revoked'] as const).map((name) => [keys[name], `$${keyRows[name].variable}`] as const),
    // A value that is also part of the address is not a secret, and without it the address could not be read.
    ...Object.entries(headers ?? {})
      .filter(([, value]) => !baseUrl.includes(value))
      .map(([name, value]) => [value, `<${name}>`] as const),
  ];
  return named.flatMap(([value, placeholder]) => (value ? [{ value, placeholder }] : []));
}

/** Most of a spoilt key is the key: each stands in reports as the shell expression that makes it. */
export function spoiltSecrets(good: string): Secret[] {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: what the shell puts in, not we.
  const written: Record<Spoilt, string> = {
    scheme: '$CONFORMANCE_API_KEY',
    'no-scheme': '$CONFORMANCE_API_KEY',
    basic: '$(printf %s: "$CONFORMANCE_API_KEY" | base64 -w0)',
    digit: good.endsWith('0') ? '${CONFORMANCE_API_KEY%?}1' : '${CONFORMANCE_API_KEY%?}0',
    short: '${CONFORMANCE_API_KEY%?}',
    long: '${CONFORMANCE_API_KEY}0',
    'no-prefix': '${CONFORMANCE_API_KEY#*_}',
    'other-prefix': 'other_${CONFORMANCE_API_KEY#*_}',
    'other-case': '${CONFORMANCE_API_KEY%%_*}_$(printf %s "${CONFORMANCE_API_KEY#*_}" | tr a-zA-Z A-Za-z)',
  };
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the rest is ours.
  return (
    spoiltWays
      .map((how) => ({
        value: spoil(good, how).replace(/^\w+ /, ''),
        placeholder: written[how],
        isSpoilt: true as const,
      }))
      // A key without letters has no other case.
      .filter(({ value }, index) => value !== good || spoiltWays[index] !== 'other-case')
  );
}

function keyFingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}

/** Keys stand in the traffic file by fingerprint, in lanes by name. */
export function fingerprintsOf(keys: Keys) {
  const names = new Map<string, string>([[keyFingerprint(keys.good), 'good']]);
  if (keys.second !== undefined) names.set(keyFingerprint(keys.second), 'second');
  return {
    nameOf: (fingerprint: string | null) => (fingerprint === null ? null : (names.get(fingerprint) ?? fingerprint)),
    of: (name: string | null) => [...names].find(([, known]) => known === name)?.[0] ?? name,
  };
}
