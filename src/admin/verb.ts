// A control verb: one action on the mock. From its row follow the route of the admin API and its OpenAPI document, the
// handles of `connectMock` and `startMock`, the tool of the control MCP server and the command of `casa ctl`.
import type { CoreResponse } from '../http/message.ts';
import type { AdminAsk, AdminCall } from './reply.ts';
import { about, optional, type Shape, type Shaped, text } from './shape.ts';

/** A tool of the control MCP server (`casa_NAME`) and a command of `casa ctl`. */
export interface ToolRow {
  readonly name: string;
  /** Instead of that of the verb. */
  readonly text?: string;
  /** The argument that a word after the command means; the first required one when absent. */
  readonly word?: string;
  /** Arguments instead of the input of the verb. Those of an object in `nest` become its fields. */
  readonly input?: Shape;
  readonly nest?: Readonly<Record<string, Shape>>;
}

/** `call.path` has the values of the path. */
type Run<Input> = (call: AdminCall, input: Input) => CoreResponse;

type Route = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** The schema of its response is in spec/generate/admin.yaml. */
export interface VerbRow {
  /** Method, and path below `/__admin`. */
  readonly route: Route;
  /** The first sentence is the summary. */
  readonly text: string;
  /** The query of a GET, the body of another method; null for a verb without one. */
  readonly input: Shape | null;
  readonly run: Run<Shaped<Shape>>;
  /** A name is enough if the arguments are the input. */
  readonly tools?: readonly (string | ToolRow)[];
  /** Whether it deletes data. By default, only a DELETE does. */
  readonly discards?: boolean;
}

/** One row, whose input is checked before `run`. */
export const verb = <S extends Shape>(
  ...[route, text, input, run, rest]: [
    route: Route,
    text: string,
    input: S | null,
    run: Run<Shaped<S>>,
    rest?: Pick<VerbRow, 'tools' | 'discards'>,
  ]
): VerbRow => ({ route, text, input, run: run as Run<Shaped<Shape>>, ...rest });

/** The method, the path, and the names in it. */
export function routeOf({ route }: Pick<VerbRow, 'route'>) {
  const [method = '', path = ''] = route.split(' ');
  return { method, path, names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name) };
}

/** Stands for the first organization in a path. */
export const firstOrganization = '-';

/** The values of the path. */
export function pathShape(row: VerbRow): Shape {
  const { path, names } = routeOf(row);
  const noun = (name: string) => (name === 'id' ? path.split('/')[1]?.replace(/s$/, '') : name.replace('Id', ''));
  const organizationId = optional(text(), 'ID of the organization (default: -, the first one)');
  const rows = names.map((name) => [name, about(`ID of the ${noun(name)}`, text())]);
  return { ...Object.fromEntries(rows), ...(names.includes('organizationId') && { organizationId }) };
}

/** The request for a verb with these values, of its path and of its input. */
export function requestOf(row: VerbRow, given: Readonly<Record<string, unknown>>): AdminAsk {
  const { method, path, names } = routeOf(row);
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name] ?? firstOrganization)));
  const rest = Object.entries(values).filter(([name]) => !names.includes(name));
  if (row.input === null) return { method, path: filled };
  if (method !== 'GET') return { method, path: filled, body: Object.fromEntries(rest) };
  return { method, path: filled, query: String(new URLSearchParams(rest.map(([name, value]) => [name, `${value}`]))) };
}
