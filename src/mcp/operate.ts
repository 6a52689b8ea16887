// A tool call, decided: the handler of the operation behind it, and an answer as REST would give it. Order as there: validation,
// existence, state of the account, platform; a fault on demand fires at the stage that owns its error.
import type { OwnToolName } from '../contract/generated/tools.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { World } from '../domain/world.ts';
import type { Call } from '../http/call.ts';
import type { Caller } from '../http/caller.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { renderFault, renderInvalidInput, renderJson, renderRefusal } from '../http/render.ts';
import type { ToolMatch } from '../http/route.ts';
import { handlers } from '../http/routes/index.ts';
import { fires } from '../http/service.ts';
import type { Draft } from '../http/trace.ts';
import { readArguments } from './arguments.ts';
import type { ToolCall } from './message.ts';
import { ownTools } from './own-tools.ts';

interface Circumstances {
  readonly caller: Caller;
  readonly request: CoreRequest;
  readonly world: World;
  readonly trace: Draft;
}

type Handle = (input: Record<string, unknown>, call: Call) => Outcome<object>;

export function operate(call: ToolCall, match: ToolMatch, circumstances: Circumstances): CoreResponse {
  const { caller, request, world, trace } = circumstances;
  if (fires('invalid_input', trace)) return renderInvalidInput(match.operation);
  const input = readArguments(call);
  if (!input.ok) return renderRefusal(input.refusal);
  const late = trace.fault?.error;
  if (late && fires(late, trace)) return renderFault(late);
  // The arguments have been checked against this tool's own schema, which the compiler cannot see. What stands in the path at
  // the other door has been read there, from the greased form of a review's id too.
  const { organization } = caller;
  const values = { ...input.value, ...match.path };
  const outcome = handlerOf(match)(values, { world, organization, nowMs: trace.nowMs, origin: request.origin });
  if (!outcome.ok) return renderRefusal(outcome.refusal);
  trace.mutated = match.operation.method !== 'GET';
  return renderJson(200, JSON.stringify(outcome.value));
}

function handlerOf({ operation: { id } }: ToolMatch): Handle {
  const found = Object.hasOwn(ownTools, id) ? ownTools[id as OwnToolName] : handlers[id as keyof typeof handlers];
  return found as unknown as Handle;
}
