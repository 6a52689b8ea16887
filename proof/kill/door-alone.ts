// Targets of which the kit is shown the MCP door alone, as `conformance mcp` judges one.
import { allMutants, type MutantRow, type Target } from '../rigs/targets.ts';

/** The same server, with its door as the whole target. */
export async function doorAlone(start: () => Promise<Target>): Promise<Target> {
  const { options, close } = await start();
  const { mcpUrl, account: _, ...rest } = options;
  if (mcpUrl === undefined) throw new Error('This target shows no MCP door.');
  return { options: { ...rest, baseUrl: mcpUrl, door: 'mcp' }, close };
}

/** Every mutant that is wrong at the MCP door. */
export function mutantsOfDoor(): MutantRow[] {
  const rows = allMutants().filter(({ name }) => name.startsWith('mcp-'));
  return rows.map((row) => ({ ...row, start: () => doorAlone(row.start) }));
}
