// Compiles the contract: openapi.yaml, tools.yaml, clauses.yaml, interpretations.yaml, behaviors.yaml, tables.json and
// requirements/ of spec/ -> src/contract/generated/. `npm run generate` writes the files; `npm run generate -- --check`
// only says whether they are up to date. `npx tsx spec/generate.ts --new-set CASA-2026.2` writes a requirement set.
import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import type { ClauseId } from '../src/contract/generated/clauses.ts';
import { emitBehaviors, readBehaviors } from './generate/behaviors.ts';
import { readContract, textsDigest } from './generate/document.ts';
import { emitFields } from './generate/fields.ts';
import { emitLimits } from './generate/limits.ts';
import { emitRecordFields } from './generate/record-fields.ts';
import { emitAssumptionTexts, emitDocument } from './generate/reference.ts';
import {
  emitClauses,
  emitErrors,
  emitInterpretations,
  emitOperations,
  emitRequirements,
  emitRoutes,
} from './generate/tables.ts';
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
    ['requirements.ts', banner + emitRequirements(contract)],
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

/** The clauses and checks of today as a requirement set. A released file stays unchanged. */
async function writeNewSet(name: string): Promise<void> {
  const { checks } = await import('../conformance/checks/index.ts');
  const { rules } = await import('../conformance/checks/rules/index.ts');
  const { whyUnprovable } = await import('../conformance/report/coverage.ts');
  const { clauses, version } = readContract(specFolder);
  const rows = [...checks.map((check) => ({ level: 'must', ...check, cites: check.clauses })), ...rules];
  const ids = clauses.map(({ id }) => id as ClauseId);
  const scored = ids.filter((id) => whyUnprovable(id) === null);
  const warnsOnly = (id: ClauseId) => {
    const levels = rows.filter(({ cites }) => cites.includes(id)).map(({ level }) => level);
    const isContradictory = clauses.some((clause) => clause.id === id && clause.basis === 'contradictory');
    return isContradictory || (levels.length > 0 && !levels.includes('must'));
  };
  const set = {
    name,
    contract: version,
    texts: textsDigest(ids, clauses),
    must: scored.filter((id) => !warnsOnly(id)),
    should: scored.filter(warnsOnly),
    not_scored: Object.fromEntries(ids.flatMap((id) => (scored.includes(id) ? [] : [[id, whyUnprovable(id)]]))),
  };
  const file = new URL(`requirements/${name}.yaml`, specFolder);
  writeFileSync(file, `${setHead}${stringify(set, { lineWidth: 0 })}`, { flag: 'wx' });
}

const setHead = `# The clauses that count: a violation of a "must" clause fails, and one of a "should" clause warns. docs/requirements.md
# explains it. After its release this file stays as it is, because reports name it: spec/generate.test.ts has its digest.
`;

const newSet = process.argv[process.argv.indexOf('--new-set') + 1];
if (process.argv.includes('--new-set') && newSet !== undefined) await writeNewSet(newSet);
else if (import.meta.main || process.argv[1]?.endsWith('generate.ts'))
  writeDrift(generatedFolder, await generate(), 'not as spec/ says. Run npm run generate.');
