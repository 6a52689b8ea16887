// ajv compiles every schema to plain code at build time. esbuild bundles ajv's run-time functions, because ajv's
// "standalone" output still imports them with `require`. Nothing is compiled or evaluated at run time.

import { fileURLToPath } from 'node:url';
import { _ } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { checkedFormats } from '../../src/contract/formats.ts';
import type { Contract, Json, Schema } from './document.ts';
import { querySchema } from './types.ts';

interface Validators {
  readonly code: string;
  readonly types: string;
}

const standaloneCode = standalone.default;

/** Of every schema of openapi.yaml, and of the query of every operation. */
export function emitValidators(contract: Contract, folder: URL): Promise<Validators> {
  const schemas = { ...contract.schemas };
  for (const operation of contract.operations) schemas[`${operation.id}Query`] = querySchema(operation.parameters);
  return compileValidators(schemas, Object.keys(schemas), folder);
}

/** Compiles the named ones among the schemas, with those that they refer to. */
export async function compileValidators(
  schemas: Readonly<Record<string, Schema>>,
  names: readonly string[],
  folder: URL,
): Promise<Validators> {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    formats: checkedFormats,
    code: { source: true, esm: true, lines: true, formats: _`require("./formats.ts").checkedFormats` },
    keywords: ['x-cites', 'x-assumption', 'example'],
  });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(localRefs(schema) as Schema, name);
  const exportsMap = Object.fromEntries(names.map((name) => [name, name]));
  const bundled = await build({
    stdin: {
      contents: standaloneCode(ajv, exportsMap),
      resolveDir: fileURLToPath(new URL('../src/contract/', folder)),
      loader: 'js',
    },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    minifySyntax: true,
    minifyWhitespace: true,
    write: false,
    logLevel: 'error',
  });
  const code = bundled.outputFiles[0]?.text ?? '';
  if (/new Function|\beval\(/.test(code))
    throw new Error('The compiled validators must not evaluate code at run time.');
  return { code, types: emitValidatorTypes(names) };
}

function emitValidatorTypes(names: readonly string[]): string {
  const lines = names.map((name) => `export declare const ${name}: Validator;`);
  return `/** One broken rule: where in the value, which keyword, and what it asks. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

${lines.join('\n')}
`;
}

// `#/components/schemas/Article` is the schema that ajv knows by the name `Article`.
function localRefs(node: Json): Json {
  if (Array.isArray(node)) return node.map(localRefs);
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? (value.split('/').at(-1) as string) : localRefs(value),
    ]),
  );
}
