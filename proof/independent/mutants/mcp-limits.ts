import type { Answer } from '../types.ts';
import { type IndependentMutant, recoded } from './mutant.ts';

/** Who gets in at the MCP door, how often, and with how much. */

const usual = { needs: 'nothing', variants: ['plain'] } as const;
const withBursts = { needs: 'bursts', variants: ['plain'] } as const;

function restatus(answer: Answer, status: number): Answer {
  return { ...answer, status };
}

export const doorMutants: readonly IndependentMutant[] = [
  {
    name: 'mcp-door-breaks-down',
    breaks: '1.mcp-door',
    shows: 'Every request at the door answers 500.',
    ...usual,
    wrong: () => ({ answer: (answer, { visit }) => (visit.door ? restatus(answer, 500) : answer) }),
  },
  {
    name: 'mcp-door-knows-no-key',
    breaks: '1.mcp-door',
    shows: 'The door refuses the key that the other door takes.',
    ...usual,
    wrong: () => ({ 'key.org': (name, { visit }) => (visit.door ? undefined : name) }),
  },
  {
    name: 'mcp-door-without-key',
    breaks: '5.missing-key',
    shows: 'The door lets a request without a key in.',
    ...usual,
    wrong: () => ({ 'key.org': (name, { visit }) => (visit.door && visit.key === undefined ? 'first' : name) }),
  },
  {
    name: 'mcp-door-with-any-key',
    breaks: '5.invalid-key',
    shows: 'The door lets a request with any key in.',
    ...usual,
    wrong: () => ({ 'key.org': (name, { visit }) => (visit.door && visit.key !== undefined ? 'first' : name) }),
  },
  {
    name: 'mcp-door-forbids',
    breaks: '5.invalid-key',
    shows: 'The door answers 403 to who has no good key.',
    ...usual,
    wrong: () => ({
      'door.refused': (answer, { code }) => (code === 'unauthorized' ? restatus(answer, 403) : answer),
    }),
  },
  {
    name: 'mcp-cap-of-the-other-door',
    breaks: '8.body-mcp',
    shows: 'The door takes 2,500,000 bytes.',
    ...withBursts,
    wrong: () => ({ 'door.cap': () => 2_500_000 }),
  },
  {
    name: 'mcp-cap-one-lower',
    breaks: '8.body-mcp',
    shows: 'The door refuses 1,048,576 bytes.',
    ...withBursts,
    variants: ['plain', 'mixed'],
    wrong: () => ({ 'door.cap': (bytes) => bytes - 1 }),
  },
  {
    name: 'mcp-cap-one-higher',
    breaks: '8.body-mcp',
    shows: 'The door takes 1,048,577 bytes.',
    ...withBursts,
    wrong: () => ({ 'door.cap': (bytes) => bytes + 1 }),
  },
  {
    name: 'mcp-cap-of-a-million',
    breaks: '8.body-mcp',
    shows: 'The door takes 1,000,000 bytes.',
    ...withBursts,
    wrong: () => ({ 'door.cap': () => 1_000_000 }),
  },
  {
    name: 'mcp-too-large-is-invalid',
    breaks: '8.body-mcp',
    shows: 'A body over the cap of the door answers 400.',
    ...withBursts,
    wrong: () => ({
      'door.refused': (answer, { code }) => (code === 'payload_too_large' ? restatus(answer, 400) : answer),
    }),
  },
  {
    name: 'mcp-too-large-without-code',
    breaks: '8.body-mcp',
    shows: 'A body over the cap of the door answers 413 with another code.',
    ...withBursts,
    variants: ['mixed'],
    wrong: () => ({
      'door.refused': (answer, { code }) =>
        code === 'payload_too_large' ? recoded(answer, answer.status, 'too_big') : answer,
    }),
  },
  {
    name: 'mcp-blocked-as-at-the-other-door',
    breaks: '7.envelope.mcp',
    shows: 'A blocked request at the door gets { error: "rate_limit_exceeded" }.',
    ...withBursts,
    wrong: () => ({ 'door.limited': (answer) => ({ ...answer, body: { error: 'rate_limit_exceeded' } }) }),
  },
  {
    name: 'mcp-blocked-with-envelope',
    breaks: '7.envelope.mcp',
    shows: 'A blocked request at the door gets the tool envelope.',
    ...withBursts,
    wrong: () => ({
      'door.limited': (answer) => ({ ...answer, body: { error: { code: 'rate_limited', message: 'too many' } } }),
    }),
  },
  {
    name: 'mcp-blocked-with-200',
    breaks: '7.envelope.mcp',
    shows: 'A blocked request at the door gets its JSON-RPC error with status 200.',
    ...withBursts,
    wrong: () => ({ 'door.limited': (answer) => restatus(answer, 200) }),
  },
  {
    name: 'mcp-window-of-its-own',
    breaks: '8.key-window-shared',
    shows: 'Requests at the door count in a window of their own for each key.',
    ...usual,
    variants: ['strict'],
    wrong: () => ({
      'limit.name': (name, { which, visit }) => (which === 'key' && visit.door ? `door of ${name}` : name),
    }),
  },
  {
    name: 'mcp-not-counted',
    breaks: '8.key-window-shared',
    shows: 'Requests at the door do not count for the key.',
    ...usual,
    variants: ['strict'],
    wrong: () => ({
      'limit.name': (name, { which, visit }) => (which === 'key' && visit.door ? undefined : name),
    }),
  },
];
