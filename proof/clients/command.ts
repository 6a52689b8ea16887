// A client of this folder as a command: `casa try -- node proof/clients/command.ts NAME`. It is correct without a name.
import { mistakes } from './mistakes.ts';
import { rightParts, tour } from './parts.ts';

await tour(
  {
    baseUrl: process.env.CASA_BASE_URL ?? '',
    apiKey: process.env.CASA_API_KEY ?? '',
    signal: new AbortController().signal,
    saw: (...records) => console.log(JSON.stringify(records)),
  },
  { ...rightParts, ...mistakes[process.argv[2] ?? ''] },
);
