// The fields of every object of a 200: where it is in the response, which fields its table lists, and how open it is.
import type { Contract, Schema } from './document.ts';
import { refName } from './document.ts';

type Openness = 'closed' | 'nested' | 'open';

interface Place {
  readonly path: string;
  readonly of: string;
  readonly openness: Openness;
}

export function emitRecordFields({ schemas, operations, clauses }: Contract): string {
  const fields = new Map<string, string[]>();
  const nullable = new Set<string>();
  let isSimple = false;
  const visit = (named: Schema, at: Omit<Place, 'of'> & { name: string; isRecord: boolean }): Place[] => {
    const name = typeof named.$ref === 'string' ? refName(named) : at.name;
    const schema = typeof named.$ref === 'string' ? (schemas[name] as Schema) : named;
    if (schema.type === 'array')
      return visit(schema.items as Schema, { ...at, name: `${name}[]`, path: `${at.path}/*` });
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    if (properties.length === 0) return [];
    fields.set(
      name,
      properties.map(([field]) => field),
    );
    const openness = schema.additionalProperties === false ? 'closed' : at.openness === 'open' ? 'open' : 'nested';
    if (at.isRecord)
      for (const [field, { type }] of properties) if (Array.isArray(type) && type.includes('null')) nullable.add(field);
    const inner = properties.flatMap(([field, child]) =>
      visit(child, { name: `${name}.${field}`, path: `${at.path}/${field}`, openness, isRecord: isSimple }),
    );
    return [{ path: at.path, of: name, openness }, ...inner];
  };
  const rows = operations.map(({ id, outputSchema, envelope }) => {
    isSimple = envelope === 'simple';
    const root = { $ref: `#/components/schemas/${outputSchema}` };
    return `  ${id}: ${JSON.stringify(visit(root, { name: '', path: '', openness: 'open', isRecord: false }))},`;
  });
  const ofFields = clauses
    .map(({ id }) => id)
    .filter((id) => /^(2|4\.connect\.envelope|4\.(articles|sites|keywords|calls)\.)/.test(id));
  const tables = [...fields].map(([name, names]) => `  ${JSON.stringify(name)}: ${JSON.stringify(names)},`);
  return `import type { OperationId } from './operations.ts';

/** The fields of each object of a success response, in the order of its table. */
export const fields = {
${tables.join('\n')}
} as const;

/** A schema, or the path to an object within one. */
export type ObjectName = keyof typeof fields;

/** closed: the contract forbids extra fields. nested: the object inside one that is closed. open: nothing is said. */
export type Openness = 'closed' | 'nested' | 'open';

/** One object of a response; \`*\` in its path means every item of a list. */
export interface ObjectPlace {
  readonly path: string;
  readonly of: ObjectName;
  readonly openness: Openness;
}

/** Where the objects of a success response are. */
export const places: Readonly<Record<OperationId, readonly ObjectPlace[]>> = {
${rows.join('\n')}
};

/** Fields of articles, sites and keywords that may be null. */
export const nullableFields: readonly string[] = ${JSON.stringify([...nullable])};

/** Clauses about fields, without their texts: a mock that starts does not load these. */
export const fieldClauses: ReadonlySet<string> = new Set(${JSON.stringify(ofFields)});
`;
}
