// The contract's document in the form in which the reference shows it: references followed, clauses and choices found.
import { assumptionTexts } from '../../contract/generated/assumption-texts.ts';

type Node = { readonly [key: string]: unknown };

export interface Field {
  /** With the names above it, such as `error.code` or `reviews[].rating`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly text: string;
}

export interface Example {
  readonly name: string;
  readonly value: unknown;
}

/** `place` is `path`, `query` or `header`, as OpenAPI has it. */
export interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly type: string;
  readonly text: string;
}

export interface HttpResponse {
  readonly status: string;
  readonly text: string;
  readonly fields: readonly Field[];
  readonly examples: readonly Example[];
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly text: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly fields: readonly Field[]; readonly example: unknown } | null;
  readonly responses: readonly HttpResponse[];
  /** Ids of the sentences that it rests on. */
  readonly clauses: readonly string[];
  /** Ids of the assumptions of the mock that touch it. */
  readonly assumptions: readonly string[];
}

export function readOperations(document: Node): Operation[] {
  const reader = new Reader(document);
  return Object.entries(document.paths as Record<string, Record<string, Node>>).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => reader.operation(method.toUpperCase(), path, operation)),
  );
}

/** Schemas of the contract nest less; a reference in a circle ends here. */
const depthMax = 6;

/** Reads from one document, so references need not be carried along. */
class Reader {
  readonly #document: Node;

  constructor(document: Node) {
    this.#document = document;
  }

  operation(method: string, path: string, node: Node): Operation {
    const responses = Object.entries((node.responses ?? {}) as Record<string, Node>);
    const clauses = unique([
      ...textsOf(node['x-cites']),
      ...responses.flatMap(([, response]) => textsOf(this.#follow(response)['x-cites'])),
    ]);
    return {
      id: textOf(node.operationId),
      method,
      path,
      tag: textsOf(node.tags)[0] ?? '',
      summary: textOf(node.summary),
      text: textOf(node.description),
      parameters: ((node.parameters ?? []) as Node[]).map((parameter) => this.#parameter(this.#follow(parameter))),
      body: this.#body(node.requestBody as Node | undefined),
      responses: responses.map(([status, response]) => this.#response(status, this.#follow(response))),
      clauses,
      assumptions: assumptionsOf(clauses, this.#assumptions(node)),
    };
  }

  /** References into this document only; the contract has no others. */
  #follow(node: Node): Node {
    const reference = node.$ref;
    if (typeof reference !== 'string') return node;
    const found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, name) => (at as Node)[name], this.#document);
    return this.#follow(found as Node);
  }

  #parameter(node: Node): Parameter {
    const schema = this.#follow(node.schema as Node);
    const sentences = [textOf(node.description), schema.default === undefined ? '' : `Default: ${schema.default}`];
    return {
      name: textOf(node.name),
      place: textOf(node.in),
      required: node.required === true,
      type: typeOf(schema),
      text: sentences.flatMap((text) => (text === '' ? [] : [text.replace(/\.?$/, '.')])).join(' '),
    };
  }

  #body(node: Node | undefined): Operation['body'] {
    if (!node) return null;
    const { schema, examples } = this.#content(this.#follow(node));
    return { fields: this.#fields(schema), example: examples[0]?.value ?? {} };
  }

  #response(status: string, node: Node): HttpResponse {
    const { schema, examples } = this.#content(node);
    return { status, text: textOf(node.description), fields: this.#fields(schema), examples };
  }

  #content(node: Node): { schema: Node; examples: Example[] } {
    const media = ((node.content ?? {}) as Record<string, Node>)['application/json'] ?? {};
    const examples = Object.entries((media.examples ?? {}) as Record<string, Node>);
    return {
      schema: (media.schema ?? {}) as Node,
      examples: examples.map(([name, example]) => ({ name, value: this.#follow(example).value })),
    };
  }

  /** All levels in one list, each after the one that holds it. */
  #fields(node: Node, above = '', depth = 0): Field[] {
    const schema = this.#follow(node);
    if (depth > depthMax) return [];
    if (Array.isArray(schema.oneOf))
      return (schema.oneOf as Node[]).flatMap((one) => this.#fields(one, above, depth + 1));
    if (schema.items) return this.#fields(schema.items as Node, `${above}[]`, depth + 1);
    const required = textsOf(schema.required);
    return Object.entries((schema.properties ?? {}) as Record<string, Node>).flatMap(([own, child]) => {
      const name = above === '' ? own : `${above}.${own}`;
      const field = this.#follow(child);
      const shown = { name, type: typeOf(field), required: required.includes(own), text: textOf(field.description) };
      return [shown, ...this.#fields(field, name, depth + 1)];
    });
  }

  /** Every `x-assumption` below a node, also behind references; `seen` ends circles. */
  #assumptions(node: unknown, seen = new Set<unknown>()): string[] {
    if (typeof node !== 'object' || node === null || seen.has(node)) return [];
    seen.add(node);
    const followed = this.#follow(node as Node);
    const own = typeof followed['x-assumption'] === 'string' ? [followed['x-assumption']] : [];
    return [...own, ...Object.values(followed).flatMap((child) => this.#assumptions(child, seen))];
  }
}

/** Those that the document names, and those that share a clause with the operation. */
function assumptionsOf(clauses: readonly string[], assumptions: readonly string[]): string[] {
  const touched = Object.entries(assumptionTexts).filter(([, assumption]) =>
    assumption.clauses.some((id) => clauses.includes(id)),
  );
  const found = unique([...assumptions, ...touched.map(([id]) => id)]);
  return found
    .filter((id) => Object.hasOwn(assumptionTexts, id))
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
}

function typeOf(schema: Node): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const kind = [schema.type ?? (schema.oneOf ? 'one of several' : 'any')].flat().join(' or ');
  const format = typeof schema.format === 'string' ? ` (${schema.format})` : '';
  return `${kind}${format}${rangeOf(schema)}`;
}

function rangeOf({ minimum, maximum, minLength, maxLength }: Node): string {
  if (minimum !== undefined || maximum !== undefined) return `, ${minimum ?? '…'} to ${maximum ?? '…'}`;
  if (minLength === undefined && maxLength === undefined) return '';
  return `, ${minLength ?? 0} to ${maxLength ?? '…'} characters`;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

const textsOf = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);

const unique = (texts: readonly string[]) => [...new Set(texts)];
