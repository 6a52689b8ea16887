// Files of worlds and snapshots, distinguished by their content.

import { isObject } from '../../contract/json.ts';
/** The request for a file, and the message after it. */
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
      done: `Added the snapshot ${id}.`,
    };
  }
  return {
    method: 'PUT',
    path: '/world',
    body: bounded(name, { world: value }),
    done: `Loaded the world from ${name}.`,
  };
}

function parse(name: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new Error(`${name} is not valid JSON. Choose a world file or a snapshot.`);
  }
  if (!isObject(value)) throw new Error(`${name} contains no JSON object. Choose a world file or a snapshot.`);
  return value;
}

function bounded(name: string, body: object): object {
  if (JSON.stringify(body).length <= fileBytesMax) return body;
  throw new Error(`${name} is larger than ${fileBytesMax / 1e6} MB. Start the mock with --data to load it.`);
}
