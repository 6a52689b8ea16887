// The ways of the API as a client needs them: little enough for a page.
import type { Contract } from './document.ts';

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
