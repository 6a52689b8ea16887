// What may be said of a call that is to ring.
import { instant, number, oneOf, optional, text } from './shape.ts';

/** The organization by its id, or by one of its keys. */
export const organizationShape = { organizationId: optional(text()), key: optional(text()) } as const;

export const ringShape = {
  ...organizationShape,
  direction: optional(oneOf(['inbound', 'outbound'])),
  from: optional(text(50)),
  to: optional(text(50)),
  agent: optional(text(100)),
  durationS: optional(number({ min: 0, max: 86_400 })),
  startedAt: optional(instant),
  outcome: optional(text(50)),
  provisional: optional(text(50)),
} as const;
