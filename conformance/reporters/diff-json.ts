// A difference as JSON; its shape is published as spec/diff.schema.json.
import { type DiffEnding, type Difference, tallyOf } from '../report/difference.ts';

/** Indented, so that two of them can be compared line by line. */
export function renderDiffJson(difference: Difference, ending: DiffEnding): string {
  return `${JSON.stringify(toDiffJson(difference, ending), null, 2)}\n`;
}

/** Members are listed one by one: what is added does not become part of the published schema by accident. */
export function toDiffJson(difference: Difference, { exitCode, sentence }: DiffEnding) {
  const { tool, toolVersion, contractVersion, runId, startedAt, seconds, a, b, keepsBodies } = difference;
  return {
    tool,
    toolVersion,
    contractVersion,
    runId,
    startedAt,
    seconds,
    exit: { code: exitCode, sentence },
    a,
    b,
    summary: tallyOf(difference.dimensions),
    dimensions: difference.dimensions,
    exchanges: difference.exchanges,
    abort: difference.abort,
    keepsBodies,
  };
}
