// The arguments of a tool call, held against the tool's own schema: the limits of sections 4 and 8. Lengths are code
// points. Cites 8.length-unit, 7.code.invalid-input-issues, 4.connect.insights.range-default. Choice C146.
import { importRowsMax } from '../contract/generated/limits.ts';
import { tools } from '../contract/generated/tools.ts';
import { type Issue, invalidInput, type Outcome, ok } from '../domain/outcome.ts';
import { findIssues } from '../http/input.ts';
import { toolValidators } from './call-route.ts';
import type { ToolCall } from './message.ts';

/**
 * The arguments as the schema wants them, defaults put in; or every problem of them at once, as REST tells of a body.
 * Throws only when the generated validators and the list of tools do not belong together.
 */
export function readArguments({ tool, values, problem }: ToolCall): Outcome<Record<string, unknown>> {
  if (problem) return invalidInput([problem]);
  const { input: schema, defaults } = tools[tool];
  const validate = toolValidators[schema];
  if (!validate) throw new Error(`No validator is compiled for ${schema}.`);
  const issues = findIssues(validate, bounded(values)).map(explain);
  return issues.length > 0 ? invalidInput(issues) : ok({ ...defaults, ...withoutUndefined(values) });
}

// One row too many is enough to say so: a hundred thousand of them need not be looked at.
function bounded(values: ToolCall['values']): ToolCall['values'] {
  const { rows } = values;
  return Array.isArray(rows) && rows.length > importRowsMax
    ? { ...values, rows: rows.slice(0, importRowsMax + 1) }
    : values;
}

// The one `not` among the schemas says what a validator cannot put into words. Cites 8.import.either.
function explain(issue: Issue): Issue {
  return issue.rule === 'not' ? { ...issue, message: 'Send either csv or rows, never both.' } : issue;
}

/**
 * A caller inside the process may hand in undefined members, which JSON does not have. Spread as they are,
 * they would hide the defaults.
 */
function withoutUndefined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
