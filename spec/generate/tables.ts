// The tables that the code reads at run time, as TypeScript source text.

import type { Contract, OperationSource } from './document.ts';

export function emitOperations(contract: Contract): string {
  const ids = contract.operations.map((operation) => JSON.stringify(operation.id)).join(' | ');
  const writes = contract.operations
    .filter(({ method }) => method !== 'GET')
    .map(({ id }) => JSON.stringify(id))
    .join(' | ');
  const rows = contract.operations.map((operation) => `  ${operation.id}: ${JSON.stringify(operationRow(operation))},`);
  return `import type { ClauseId } from './clauses.ts';

export type OperationId = ${ids};

/** Operations that change the world. */
export type WriteOperationId = ${writes};

export interface QueryParameter {
  readonly name: string;
  readonly type: 'string' | 'integer';
  readonly required: boolean;
  readonly default?: string | number;
}

export interface Operation {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly segments: readonly string[];
  /** Which error envelope the contract gives this family of endpoints. */
  readonly envelope: 'simple' | 'tool';
  readonly query: readonly QueryParameter[];
  readonly body: string | null;
  readonly output: string;
  readonly statuses: readonly number[];
  readonly cites: readonly ClauseId[];
}

export const operations: { readonly [Id in OperationId]: Operation } = {
${rows.join('\n')}
};

export const apiVersion = ${JSON.stringify(contract.version)};
`;
}

/** Path parameters are left out: they are in `segments`. */
function operationRow(operation: OperationSource) {
  return {
    id: operation.id,
    method: operation.method,
    path: operation.path,
    segments: operation.path.slice(1).split('/'),
    envelope: operation.envelope,
    query: operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => ({
        name: parameter.name,
        type: parameter.schema.type,
        required: parameter.required ?? false,
        ...(parameter.schema.default === undefined ? {} : { default: parameter.schema.default }),
      })),
    body: operation.bodySchema,
    output: operation.outputSchema,
    statuses: operation.statuses,
    cites: operation.cites,
  };
}

export function emitErrors(contract: Contract): string {
  const examples = contract.examples.map(
    ({ name, code, status, body }) => `  ${name}: ${JSON.stringify({ code, status, body })},`,
  );
  return `/** The one table of codes and statuses. Cites 7.code.*. */
export const errorStatus = ${JSON.stringify(contract.errors, null, 2)} as const;

export type ErrorCode = keyof typeof errorStatus;

export interface ErrorExample {
  /** null for the limiter's own body, which has no code. */
  readonly code: ErrorCode | null;
  readonly status: number;
  readonly body: unknown;
}

export type ErrorExampleName = ${contract.examples.map(({ name }) => JSON.stringify(name)).join(' | ')};

/** Every error the contract knows, under the name that \`example=\` takes. */
export const errorExamples: { readonly [Name in ErrorExampleName]: ErrorExample } = {
${examples.join('\n')}
};
`;
}

export function emitInterpretations({ clauses, interpretations }: Contract): string {
  const rows = Object.entries(interpretations).map(([id, text]) => {
    const about = clauses.filter((clause) => clause.interpretations?.includes(id)).map((clause) => clause.id);
    return `  ${id}: ${JSON.stringify({ text, about })},`;
  });
  return `import type { ClauseId } from './clauses.ts';

/** How the kit interprets an unspecified point of the contract. */
export interface Interpretation {
  readonly text: string;
  readonly about: readonly ClauseId[];
}

export const interpretations = {
${rows.join('\n')}
} as const satisfies Readonly<Record<string, Interpretation>>;

export type InterpretationId = keyof typeof interpretations;
`;
}

export function emitClauses(contract: Contract): string {
  const rows = contract.clauses.map(({ id, fact, basis, seenBy, at }) => {
    return `  ${JSON.stringify(id)}: ${JSON.stringify({ fact, basis, seenBy, at })},`;
  });
  const cited = Object.entries(contract.schemas)
    .filter(([, schema]) => schema['x-cites'])
    .map(([name, schema]) => `  ${name}: ${JSON.stringify(schema['x-cites'])},`);
  return `export interface Clause {
  /** The fact in our own words. */
  readonly fact: string;
  readonly basis: 'stated' | 'implied' | 'contradictory' | 'unspecified';
  readonly seenBy: 'server' | 'client' | 'nobody';
  /** Its section of the contract. */
  readonly at: string;
}

export const clauses = {
${rows.join('\n')}
} as const satisfies Readonly<Record<string, Clause>>;

export type ClauseId = keyof typeof clauses;

/** The clauses that each schema of spec/openapi.yaml states. */
export const schemaCites: Readonly<Record<string, readonly ClauseId[]>> = {
${cited.join('\n')}
};
`;
}

export function emitRequirements({ requirementSets }: Contract): string {
  const rows = requirementSets.map(({ name, digest, must, should, not_scored: notScored }) => {
    const levels = Object.fromEntries(
      [must, should].flatMap((ids, at) => ids.map((id) => [id, at ? 'should' : 'must'])),
    );
    return `  ${JSON.stringify(name)}: ${JSON.stringify({ digest, levels, notScored })},`;
  });
  return `import type { ClauseId } from './clauses.ts';

/** The clauses that a report counts. */
export interface RequirementSet {
  /** SHA-256 of its file in spec/requirements/. */
  readonly digest: string;
  readonly levels: { readonly [Id in ClauseId]?: 'must' | 'should' };
  /** Why a clause does not count. */
  readonly notScored: { readonly [Id in ClauseId]?: string };
}

/** The oldest first. */
export const requirementNames = ${JSON.stringify(requirementSets.map(({ name }) => name))} as const;
export type RequirementSetName = (typeof requirementNames)[number];
export const newestSet: RequirementSetName = ${JSON.stringify(requirementSets.at(-1)?.name)};

export const requirementSets: { readonly [Name in RequirementSetName]: RequirementSet } = {
${rows.join('\n')}
};
`;
}

export function emitRoutes({ operations }: Contract): string {
  const rows = operations.map(({ id, method, path, parameters, bodySchema }) => {
    const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    return `  ${id}: ${JSON.stringify({ method, path, query, hasBody: bodySchema !== null })},`;
  });
  return `export interface Route {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly hasBody: boolean;
}

export const routes = {
${rows.join('\n')}
} as const satisfies Readonly<Record<string, Route>>;
`;
}
