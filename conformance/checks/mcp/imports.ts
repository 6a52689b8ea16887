// dialer_import_contacts: csv or rows, and the size of each.

import { csvCharactersMax, csvContactsMax, importRowsMax } from '../../../src/contract/generated/limits.ts';
import { type History, labelled } from '../../exchange/history.ts';
import { isInvalid, type Reply, readReply } from '../../exchange/mcp/reply.ts';
import { repliesIn } from '../../exchange/mcp/tools.ts';
import { judgeable } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { hasBounds, isInputRejected, isOptional, isTaken, listsInputs, readTool } from '../../judge/mcp.ts';

const importTool = 'dialer_import_contacts';
/** A csv text of the body limit minus the rest of the request. */
const reachableCharacters = 1_000_000;

const inputsStated: Judged = {
  id: 'mcp/import-inputs',
  title: 'The schema of dialer_import_contacts states the documented limits',
  clauses: ['4.tools.dialer-import-contacts', '8.import.rows', '8.import.csv-characters'],
  scenarios: ['mcp/open'],
  *judge(history) {
    const read = yield* readTool(history, importTool);
    if (read === null) return;
    if (!listsInputs(read.inputs)) {
      yield { doubt: 'vacuous', message: `the schema of ${importTool} lists no inputs` };
      return;
    }
    for (const input of ['csv', 'rows']) yield* isOptional(read, { input, clause: '4.tools.dialer-import-contacts' });
    yield* hasBounds(read, { input: 'rows', of: 'items', clause: '8.import.rows', upper: importRowsMax });
    const { upper } = read.inputs.bounds('csv', 'length');
    // Between the body limit and the csv limit, a smaller maximum rejects nothing that can be sent.
    const isHarmless = upper !== null && upper >= reachableCharacters && upper < csvCharactersMax;
    const csv = { input: 'csv', of: 'length', clause: '8.import.csv-characters', upper: csvCharactersMax } as const;
    if (!isHarmless) yield* hasBounds(read, csv);
  },
};

const has = ({ input }: Reply, ...names: readonly string[]) => Object.keys(input).sort().join() === names.join();

/** The sentence is for the client; a server that takes both is only unwise. */
const either: Judged = {
  id: 'mcp/import-either',
  title: 'dialer_import_contacts rejects csv together with rows',
  level: 'should',
  clauses: ['8.import.either'],
  scenarios: ['mcp/open', 'mcp/import-either'],
  *judge(history) {
    const replies = repliesIn(history, importTool);
    const both = replies.filter((reply) => has(reply, 'csv', 'rows'));
    const alone = replies.filter((one) => one.outcome === 'taken' && (has(one, 'csv') || has(one, 'rows')));
    const isTakenAlone = (name: string, { input }: Reply) =>
      alone.some((one) => JSON.stringify(one.input[name]) === JSON.stringify(input[name]));
    // If one of them is rejected alone, a rejection of both is not evidence.
    const isClear = (one: Reply) => !isInvalid(one) || (isTakenAlone('csv', one) && isTakenAlone('rows', one));
    const clear = both.filter(isClear);
    const expected = 'a rejection of csv together with rows';
    for (const reply of clear) yield* isInputRejected(reply, { clause: '8.import.either', expected });
    if (both.length > 0 && clear.length === 0)
      yield { doubt: 'precondition', message: `${importTool} rejects empty csv and empty rows too` };
  },
};

/** The replies to requests that are too long to be kept. Yields why one cannot be read. */
function* readAll(history: History, label: string): Generator<Judgment, Reply[]> {
  const replies: Reply[] = [];
  for (const exchange of labelled(history, label))
    if (yield* judgeable(history, exchange)) replies.push(readReply(exchange, {}));
  return replies;
}

const ways = [
  { way: 'rows', max: importRowsMax, noun: 'rows', clause: '8.import.rows' },
  { way: 'csv', max: csvContactsMax, noun: 'contacts as csv', clause: '8.import.csv-contacts' },
] as const;

const full: Judged = {
  id: 'mcp/import-rows',
  title: 'dialer_import_contacts accepts the maximum number of contacts, as rows and as csv, and rejects one more',
  // The text of so many contacts as csv is long, and within its limit.
  clauses: ['8.import.rows', '8.import.csv-contacts', '8.import.csv-characters'],
  scenarios: ['mcp/imports'],
  *judge(history) {
    for (const { way, max, noun, clause } of ways) {
      const singles = repliesIn(history, importTool).filter(({ input }) => Object.hasOwn(input, way));
      for (const reply of yield* readAll(history, `most contacts as ${way}`)) {
        if (reply.exchange.status === 413)
          yield { doubt: 'unreachable', message: `${max} ${noun} exceed the body limit` };
        else yield* isTaken(reply, { clause, expected: `a result for ${max} ${noun}` }, singles);
      }
      for (const reply of yield* readAll(history, `too many contacts as ${way}`))
        yield* isInputRejected(reply, { clause, expected: `a rejection of ${max + 1} ${noun}` });
    }
  },
};

export const mcpImports: readonly Judged[] = [inputsStated];
export const mcpImported: readonly Judged[] = [full, either];
