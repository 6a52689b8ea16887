import type { Fields, Wrongness } from '../seams.ts';

// Ways to make one tool of the MCP door wrong: what the door says of it, and what the tool takes.

export type Properties = Record<string, Fields>;

/** Rewrites what one tool says it takes. */
export function retold(name: string, rewrite: (properties: Properties) => Fields, rest: Fields = {}): () => Wrongness {
  return () => ({
    'door.tool': (tool, of) => {
      if (tool === undefined || of !== name) return tool;
      const schema = tool.inputSchema as Fields;
      return { ...tool, inputSchema: { ...schema, ...rest, properties: rewrite(schema.properties as Properties) } };
    },
  });
}

/** Another statement in the schema of one input. */
export function restated(name: string, input: string, statement: Fields): () => Wrongness {
  return retold(name, (properties) => ({ ...properties, [input]: { ...properties[input], ...statement } }));
}

/** Lets a call through although its input is wrong. */
export function lenient(tool: string, lets: (input: Fields) => boolean): () => Wrongness {
  return () => ({ 'door.issues': (issues, call) => (call.tool === tool && lets(call.input) ? [] : issues) });
}

/** Finds a right input wrong. */
export function fussy(tool: string, path: string, refuses: (input: Fields) => boolean): () => Wrongness {
  return () => ({
    'door.issues': (issues, call) =>
      call.tool === tool && refuses(call.input) ? [{ path, message: 'is not acceptable' }] : issues,
  });
}

export function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}
