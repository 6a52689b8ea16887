// Faults that people reach for, each under an id of its own, so a switch can show whether it is on.

/** A rule under a switch; `hint` says what clients then see. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly rule: Readonly<Record<string, unknown>>;
}

const preset = (id: string, name: string, hint: string, rule: Preset['rule']): Preset => ({
  id: `preset-${id}`,
  name,
  hint,
  rule,
});

export const presets: readonly Preset[] = [
  preset('down', 'Platform down', '502 provider_error, always', { error: 'provider_error' }),
  preset('flaky', 'Platform flaky', '503 transient, 20 % at random', { error: 'transient', probability: 0.2 }),
  preset('busy', 'Platform busy', '429 in the normal envelope', { error: 'rate_limited' }),
  preset('reconnect', 'Account to reconnect', '401 provider_auth', { error: 'provider_auth' }),
  preset('payment', 'Payment missing', '402 payment_method_required', { error: 'payment_method_required' }),
  preset('revoked', 'Key revoked', '401 unauthorized', { error: 'unauthorized' }),
  preset('window', 'Key window full', '429 of the limiter', { error: 'limiter_key' }),
  preset('late', 'Slow responses', 'Each response waits 2 seconds', { latencyMs: 2000 }),
  preset('trickle', 'Slow bodies', 'The body trickles in', { network: 'slow' }),
  preset('cut', 'Broken connections', 'Resets 10 % at random', { network: 'reset', probability: 0.1 }),
];

/** A fault that strikes the next request and is gone. */
export function onceId(error: string): string {
  return `once-${error}`;
}
