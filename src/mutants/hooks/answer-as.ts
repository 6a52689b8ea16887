// What the mock would answer the key of another organization: how its mutants mix organizations up.
import { applyWorldChange } from '../../domain/change.ts';
import type { Organization, World } from '../../domain/world.ts';
import type { AnyHandler } from '../../http/handler.ts';
import { handlers } from '../../http/handlers.ts';
import { readInput } from '../../http/input.ts';
import type { CoreRequest } from '../../http/message.ts';
import { route } from '../../http/route.ts';
import { type Json, readJson } from './rewrite.ts';

/** null for a rejected request. Nothing is counted against a limit. */
export function answerAs(world: World, organization: Organization, request: CoreRequest): Json | null {
  const match = route(request.method, request.path);
  if (typeof match === 'string') return null;
  const input = readInput(match, request, world.choices);
  if (!input.ok) return null;
  const handler = handlers[match.operation.id] as AnyHandler;
  const nowMs = world.clock.now();
  const outcome = handler(input.value, { world, organization, nowMs, origin: request.origin });
  if (!outcome.ok) return null;
  const { output, change } = outcome.value;
  if (change) applyWorldChange(world, change);
  return readJson(JSON.stringify(output)) ?? null;
}
