// Prints the page; exits with 1 where something is not proven.
import { evidencePage, gatherClaims, usualSources } from './evidence.ts';

const claims = await gatherClaims(usualSources);
process.stdout.write(evidencePage(claims));
process.exitCode = claims.some(({ state }) => state === 'not proven') ? 1 : 0;
