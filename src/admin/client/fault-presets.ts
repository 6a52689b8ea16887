// Common faults, each with its own id, so that a switch can show its state.

/** A fault with a switch; `hint` describes the responses. */
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
  preset('down', 'Platform down', '502 provider_error', { error: 'provider_error' }),
  preset('flaky', 'Platform flaky', '503 transient, about 20% of requests', { error: 'transient', probability: 0.2 }),
  preset('busy', 'Platform busy', '429 rate_limited', { error: 'rate_limited' }),
  preset('reconnect', 'Account disconnected', '401 provider_auth', { error: 'provider_auth' }),
  preset('payment', 'Payment required', '402 payment_method_required', { error: 'payment_method_required' }),
  preset('revoked', 'Key revoked', '401 unauthorized', { error: 'unauthorized' }),
  preset('window', 'Rate limit of the key', '429 limiter_key', { error: 'limiter_key' }),
  preset('late', 'Slow responses', 'Responses take 2 seconds', { latencyMs: 2000 }),
  preset('trickle', 'Slow bodies', 'The body arrives in small parts', { network: 'slow' }),
  preset('cut', 'Broken connections', 'Reset of about 10% of requests', { network: 'reset', probability: 0.1 }),
];

/** The id of a fault for the next request only. */
export function onceId(error: string): string {
  return `once-${error}`;
}
