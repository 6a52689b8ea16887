// The arguments of a tool call, held against the tool's own schema: the limits of sections 4 and 8. Lengths are code points.
// Cites 8.length-unit, 7.code.invalid-input-issues, 4.connect.insights.range-default. Choice C146.
import { tools } from '../contract/generated/tools.ts';
import { type Issue, invalidInput, type Outcome, ok } from '../domain/outcome.ts';
import { findIssues } from '../http/input.ts';
import { toolValidators } from './call-route.ts';
import type { ToolCall } from './message.ts';

export function readArguments({ tool, values }: ToolCall): Outcome<Record<string, unknown>> {
  const { input: schema, defaults } = tools[tool];
  const validate = toolValidators[schema];
  if (!validate) throw new Error(`No validator is compiled for ${schema}.`);
  const issues = findIssues(validate, values).map(explain);
  return issues.length > 0 ? invalidInput(issues) : ok({ ...defaults, ...withoutUndefined(values) });
}

// The one `not` among the schemas says what a validator cannot put into words. Cites 8.import.either.
function explain(issue: Issue): Issue {
  return issue.rule === 'not' ? { ...issue, message: 'Send either csv or rows, never both.' } : issue;
}

function withoutUndefined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
