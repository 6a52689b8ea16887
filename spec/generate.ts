// Compiles the contract: openapi.yaml, tools.yaml, clauses.yaml, interpretations.yaml, behaviors.yaml and tables.json
// of spec/ -> src/contract/generated/. `npm run generate` writes the files; `npm run generate -- --check` only says
// whether they are up to date.
import { emitBehaviors, readBehaviors } from './generate/behaviors.ts';
import { readContract } from './generate/document.ts';
import { emitFields } from './generate/fields.ts';
import { emitLimits } from './generate/limits.ts';
import { emitRecordFields } from './generate/record-fields.ts';
import { emitAssumptionTexts, emitDocument } from './generate/reference.ts';
import { emitClauses, emitErrors, emitInterpretations, emitOperations, emitRoutes } from './generate/tables.ts';
import { emitToolSchemas, emitTools, emitToolValidators, readTools } from './generate/tools.ts';
import { emitTypes } from './generate/types.ts';
import { emitValidators } from './generate/validators.ts';
import { emitZod } from './generate/zod.ts';
import { writeDrift } from './source-files.ts';

const specFolder = new URL('./', import.meta.url);
export const generatedFolder = new URL('../src/contract/generated/', import.meta.url);
export const banner = '// Generated from spec/ by `npm run generate`. Do not edit.\n';

/** File name -> text, for everything under src/contract/generated/. */
export async function generate(): Promise<Map<string, string>> {
  const contract = readContract(specFolder);
  const validators = await emitValidators(contract, specFolder);
  const tools = readTools(specFolder, contract);
  const toolValidators = await emitToolValidators(tools, specFolder);
  return new Map([
    ['types.ts', banner + emitTypes(contract)],
    ['record-fields.ts', banner + emitRecordFields(contract)],
    ['operations.ts', banner + emitOperations(contract)],
    ['client-routes.ts', banner + emitRoutes(contract)],
    ['zod-schemas.ts', banner + emitZod(contract)],
    ['errors.ts', banner + emitErrors(contract)],
    ['fields.ts', banner + emitFields(specFolder)],
    ['limits.ts', banner + emitLimits(specFolder)],
    ['clauses.ts', banner + emitClauses(contract)],
    ['interpretations.ts', banner + emitInterpretations(contract)],
    ['behaviors.ts', banner + emitBehaviors(readBehaviors(specFolder, contract))],
    ['document.ts', banner + emitDocument(specFolder)],
    ['assumption-texts.ts', banner + emitAssumptionTexts(specFolder)],
    ['validators.js', banner + validators.code],
    ['validators.d.ts', banner + validators.types],
    ['tools.ts', banner + emitTools(tools)],
    ['tool-schemas.ts', banner + emitToolSchemas(tools)],
    ['tool-validators.js', banner + toolValidators.code],
    ['tool-validators.d.ts', banner + toolValidators.types],
  ]);
}

if (import.meta.main || process.argv[1]?.endsWith('generate.ts'))
  writeDrift(generatedFolder, await generate(), 'not as spec/ says. Run npm run generate.');
