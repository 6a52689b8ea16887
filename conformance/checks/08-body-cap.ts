// The cap of REST bodies, in bytes and at the byte. Neither body names a provider or a label, so no link can come of it.
import { type Check, defineChecks } from '../check.ts';
import { type Exchange, errorCode, isAnswered, isLimiterRefusal, isPlatformTrouble } from '../exchange.ts';
import type { Probe } from '../probe.ts';

const BYTES_MAX = 2_500_000;
const THREE_BYTES = '€';

/** `{"pad":"…"}` of exactly so many bytes, most of them in three-byte characters: a server that counts characters finds a third. */
function wideBody(bytes: number): Uint8Array {
  const frame = '{"pad":""}'.length;
  const wide = Math.floor((bytes - frame) / 3);
  const text = `{"pad":"${THREE_BYTES.repeat(wide)}${'x'.repeat(bytes - frame - wide * 3)}"}`;
  return new TextEncoder().encode(text);
}

function sendBytes(probe: Probe, bytes: number, expects = false): Promise<Exchange> {
  const headers: Record<string, string> = expects ? { expect: '100-continue' } : {};
  return probe.sendRaw({ operation: 'createConnectLink', bytes: wideBody(bytes), headers });
}

function stopOnTrouble(probe: Probe, exchange: Exchange): void {
  if (isLimiterRefusal(exchange)) probe.stop('interference', 'a limiter refused the large body');
  if (isPlatformTrouble(exchange)) probe.stop('platform', `the large body got ${exchange.status}`);
}

function describe(exchange: Exchange): string {
  return isAnswered(exchange)
    ? `${exchange.status} ${errorCode(exchange) ?? ''}`.trim()
    : `no answer: ${exchange.problem}`;
}

const within: Check = {
  id: 'limits/body-at-cap',
  title: 'A body of 2,500,000 bytes is not too large, and is refused because it names no provider and no label',
  cites: [
    '8.body-rest',
    '4.connect.create-link.invalid',
    '2.connect-account-input.provider',
    '2.connect-account-input.label',
  ],
  level: 'must',
  phase: 'bursts',
  needs: ['burst'],
  cost: { requests: 1, least: 1 },
  async run(probe) {
    probe.announce('Sending a body of 2,500,000 bytes.');
    const exchange = await sendBytes(probe, BYTES_MAX);
    if (!isAnswered(exchange)) probe.stop('unreachable', `the body of 2,500,000 bytes got ${describe(exchange)}`);
    stopOnTrouble(probe, exchange);
    const isTooLarge = exchange.status === 413;
    const claim = { clause: '8.body-rest', pointer: '#status', actual: describe(exchange), exchange } as const;
    if (!probe.holds(!isTooLarge, { ...claim, expected: 'not 413 for 2,500,000 bytes' })) return;
    // The body names neither provider nor label, which is the second thing that this request shows.
    const shadows = ['payment_required'] as const;
    probe.expectRefusal(exchange, {
      status: 400,
      code: 'invalid_input',
      clause: '4.connect.create-link.invalid',
      shadows,
    });
  },
};

const over: Check = {
  id: 'limits/body-over-cap',
  title: 'A body of 2,500,001 bytes answers 413 payload_too_large',
  cites: ['8.body-rest', '7.code.payload-too-large'],
  level: 'must',
  phase: 'bursts',
  needs: ['burst'],
  after: ['limits/body-at-cap'],
  cost: { requests: 2, least: 1 },
  async run(probe) {
    probe.announce('Sending a body of 2,500,001 bytes.');
    const first = await sendBytes(probe, BYTES_MAX + 1);
    // Who closes while we still send may have answered in vain: ask once more, in a way that lets it answer first.
    const exchange = isAnswered(first) ? first : await sendBytes(probe, BYTES_MAX + 1, true);
    stopOnTrouble(probe, exchange);
    const code = errorCode(exchange);
    if (code === 'payment_required') probe.stop('precondition', 'a payment is asked for before the body is read');
    const isRefused = exchange.status === 413 && code === 'payload_too_large';
    probe.holds(isRefused, {
      clause: '8.body-rest',
      pointer: '#status',
      expected: '413 payload_too_large for 2,500,001 bytes',
      actual: describe(exchange),
      exchange,
      ...(exchange.status === 413 && code === null
        ? { message: 'a proxy in front of the service may have answered' }
        : {}),
    });
  },
};

export const bodyCap = defineChecks([within, over]);
