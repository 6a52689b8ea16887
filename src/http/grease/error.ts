// Errors in other words: clients branch on `code`, never on `message`. Cites 7.envelope.branch-on-code,
// 7.envelope.tool-extra.
import type { Issue } from '../../domain/outcome.ts';
import type { Random } from '../../domain/random.ts';

/** Status and code stay: they are what clients may rely on. */
export function varyError(body: unknown, envelope: 'simple' | 'tool', random: Random): unknown {
  const { error } = body as { error: unknown };
  // The limiter's body is stated to the letter.
  if (typeof error !== 'object' || error === null) return body;
  const { message, issues, ...rest } = error as Record<string, unknown>;
  return {
    error: {
      ...rest,
      message: reword(String(message), random),
      ...(issues === undefined ? {} : { issues: reshape(issues as readonly Issue[], random) }),
      ...(envelope === 'tool' ? extraMembers(random) : {}),
    },
  };
}

/** Another language among them, for clients that search the message for a word. */
function reword(message: string, random: Random): string {
  const wordings = [
    message,
    `Sorry. ${message}`,
    message.toUpperCase(),
    'Das ging nicht.',
    `${message} (E${random.below(900) + 100})`,
  ];
  return wordings[random.below(wordings.length)] as string;
}

// Rulings R26: the document names `issues` and shows no shape. One entry a problem in each of these.
function reshape(issues: readonly Issue[], random: Random): unknown {
  const shapes = [
    () => issues,
    () => issues.map(({ path, message }) => ({ field: path.slice(1).replaceAll('/', '.'), detail: message })),
    () => issues.map(({ path, message }) => `${path}: ${message}`),
    () => issues.map(({ path, message, rule }) => ({ code: rule, path: path.split('/').slice(1), message })),
  ];
  return (shapes[random.below(shapes.length)] as () => unknown)();
}

// Choice C128: only the tool envelope may carry more.
function extraMembers(random: Random): Record<string, unknown> {
  const extras: Record<string, unknown>[] = [
    {},
    { requestId: `req_${random.hex(12)}` },
    { docs: 'https://docs.example/errors', retryable: false },
    { details: { trace: random.hex(8), hops: [1, 2] }, hint: null },
  ];
  return extras[random.below(extras.length)] as Record<string, unknown>;
}
