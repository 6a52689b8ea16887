// Files of worlds and snapshots, as people have them: distinguished by what they hold.

import { isObject } from '../../contract/json.ts';
/** What to ask the mock for, and what to say when it is done. */
export interface Upload {
  readonly method: 'PUT';
  readonly path: string;
  readonly body: object;
  readonly done: string;
}

/** The mock takes no larger bodies. */
export const fileBytesMax = 2_500_000;

/** The sentence of an error says what to do. */
export function readUpload(name: string, text: string): Upload {
  const value = parse(name, text);
  const whole = isObject(value.snapshot) ? value.snapshot : value;
  if (whole.casaSnapshot !== undefined) {
    const id = typeof value.id === 'string' ? value.id : name.replace(/\.json$/i, '');
    const { casaSnapshot, world, limits, clock, random, faults, behaviors } = whole;
    const snapshot = { casaSnapshot, world, limits, clock, random, faults, behaviors };
    return {
      method: 'PUT',
      path: `/snapshots/${encodeURIComponent(id)}`,
      body: bounded(name, { snapshot }),
      done: `${id} is kept; Restore brings it back.`,
    };
  }
  return { method: 'PUT', path: '/world', body: bounded(name, { world: value }), done: `The world of ${name} runs.` };
}

function parse(name: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new Error(`${name} is not JSON; it takes a world file or a snapshot.`);
  }
  if (!isObject(value)) throw new Error(`${name} holds no object; it takes a world file or a snapshot.`);
  return value;
}

function bounded(name: string, body: object): object {
  if (JSON.stringify(body).length <= fileBytesMax) return body;
  throw new Error(
    `${name} is larger than ${fileBytesMax / 1e6} MB; start the mock with --data for a world of that size.`,
  );
}
