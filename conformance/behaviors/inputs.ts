// Behaviors that react to an input, one for each class: R1, R5, R19 to R21, R38. A request shows one if it has one
// parameter only.
import { behaviors, type InputRow } from '../../src/contract/generated/behaviors.ts';
import { articlesLimit, callsLimit } from '../../src/contract/generated/limits.ts';
import { classOfInput, forInputs } from '../../src/contract/input-classes.ts';
import { dataOf, type Exchange, errorCode, isObject, listOf } from '../exchange/exchange.ts';
import {
  accountOf,
  hasOnlyParameters,
  type Look,
  type Observation,
  queryOf,
  responsesTo,
  segmentOf,
} from '../exchange/look.ts';
import { isUuid } from '../exchange/same-id.ts';

/** The text of the parameter; null if the request has others, or cannot show the behavior. */
function textOf(look: Look, { name, operations }: InputRow, exchange: Exchange): string | null {
  if (name === 'id') return segmentOf(exchange, 1);
  if (name === 'accountId') return segmentOf(exchange, 2);
  if (!hasOnlyParameters(exchange, name)) return null;
  if (operations.some((each) => each === 'listReviews' || each === 'getInsights')) {
    const account = accountOf(look, exchange);
    if (account?.status !== 'connected' || account.locked) return null;
  }
  return queryOf(exchange).get(name);
}

function isOfClass(look: Look, row: InputRow, exchange: Exchange): boolean {
  const text = textOf(look, row, exchange);
  if (text === null) return false;
  if (row.class === 'unknown') return isUuid(text) && look.siteIds?.has(text.toLowerCase()) === false;
  const isGiven =
    row.name === 'cursor' &&
    responsesTo(look, row.operations, 200).some((page) => text !== '' && dataOf(page).nextCursor === text);
  return !isGiven && classOfInput(row, text, exchange.receivedAt) === row.class;
}

function rejectionOf({ status, ...exchange }: Exchange, values: readonly string[]): string | null {
  if (status === 404) return 'not_found';
  const isInput = status === 400 && errorCode({ status, ...exchange }) !== 'not_supported';
  return isInput ? (values.find((value) => value === 'reject' || value === 'invalid_input') ?? null) : null;
}

function rowsIn(exchange: Exchange): readonly unknown[] {
  const data = isObject(exchange.json) ? exchange.json.data : null;
  return listOf(Array.isArray(data) ? data : dataOf(exchange).calls);
}

const longestOf = (look: Look, operations: InputRow['operations']) =>
  Math.max(0, ...responsesTo(look, operations, 200).map((page) => rowsIn(page).length));

/** A success shows which input the server used instead. */
function successOf(look: Look, exchange: Exchange, { name, class: inputClass, operations }: InputRow): string | null {
  const body = exchange.json;
  if (!isObject(body)) return null;
  const isCalls = operations.includes('listCalls');
  const list = rowsIn(exchange);
  if (name === 'siteId' || inputClass === 'future') {
    // An empty list shows something if the organization has records.
    if (list.length === 0) return inputClass === 'unknown' || longestOf(look, operations) > 0 ? 'empty' : null;
    return inputClass === 'unknown' ? null : 'ignore';
  }
  if (name !== 'limit' || inputClass === 'text') return 'ignore';
  const rows = list.length;
  const goesOn = (isCalls && rows < longestOf(look, operations)) || typeof body.cursor === 'string';
  const { preset } = isCalls ? callsLimit : articlesLimit;
  // Too few rows look alike for each limit.
  if (inputClass === 'above') return rows > preset ? 'clamp' : rows === preset && goesOn ? 'ignore' : null;
  if (rows === 0 || (rows === 1 && !goesOn)) return null;
  return rows > 1 ? 'ignore' : inputClass === 'fraction' ? 'truncate' : 'clamp';
}

function observeInput(row: InputRow, values: readonly string[]) {
  return (look: Look): Observation<never>[] =>
    responsesTo(look, row.operations)
      .filter((exchange) => isOfClass(look, row, exchange))
      .flatMap((exchange) => {
        const value = exchange.status === 200 ? successOf(look, exchange, row) : rejectionOf(exchange, values);
        return value === null || !values.includes(value) ? [] : [{ value: value as never, exchange: exchange.id }];
      });
}

export const inputObservers = forInputs((row) => observeInput(row, behaviors[row.id].values));
