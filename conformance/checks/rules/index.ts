// Every rule, in the order of the report.
import { unique } from '../../../src/contract/words.ts';
import type { Rule } from '../../judge/judge.ts';
import { codeStatus, errorEnvelope, issues, json, limiterBody, paymentReason, secrecy, status } from './envelope.ts';
import { rateHeaders, retryAfter } from './rate-headers.ts';
import { shapes } from './shapes.ts';

/** From what breaks everything (no JSON, another status) to single headers, so the first finding is the root. */
const all: readonly Rule[] = [
  json,
  status,
  ...shapes,
  errorEnvelope,
  codeStatus,
  issues,
  paymentReason,
  limiterBody,
  rateHeaders,
  retryAfter,
  secrecy,
];

export const rules = unique('rules', all, ({ id }) => id);
