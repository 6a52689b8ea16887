// The MCP endpoint's pipeline: the same gate, faults and handlers as REST, in the same order, with the protocol between
// the gate and the handler. A call is decided and its change is made at one time: after the gate, only the protocol's
// own steps are asynchronous. Cites 8.key-window-shared, 8.body-mcp.

import type { CallToolResult } from '@modelcontextprotocol/server';
import { mcpBodyBytesMax } from '../contract/generated/limits.ts';
import type { OwnToolName } from '../contract/generated/tools.ts';
import { isObject, parseJson } from '../contract/json.ts';
import { isGatewayError } from '../domain/faults.ts';
import type { Grant } from '../domain/sliding-window.ts';
import { type Caller, isForeignOrigin, isOwnOrigin, isTrustedHost } from '../http/caller.ts';
import { type Pipeline, passGate, type ServiceOptions } from '../http/gate.ts';
import type { AnyHandler } from '../http/handler.ts';
import { handlers } from '../http/handlers.ts';
import { bodyText, type CoreRequest, type CoreResponse } from '../http/message.ts';
import { type Decision, operate, rejection } from '../http/operate.ts';
import type { ToolMatch } from '../http/route.ts';
import { finish, preparePipeline, type Served, writeAndCheck } from '../http/service.ts';
import { type Draft, startTrace } from '../http/trace.ts';
import { readArguments, routeMessage } from './arguments.ts';
import { loadProtocol } from './load-protocol.ts';
import { readMessage, rpcError, type ToolCall, toRpcError } from './message.ts';
import { ownTools } from './own-tools.ts';
import { describeAsRest, describeRequest, type RestView } from './rest-view.ts';

export interface McpServed extends Served {
  /** The equivalent REST exchange, for violations. */
  readonly restView: RestView;
}

/** The service of REST, and which pages may come in. */
export interface McpOptions extends ServiceOptions {
  /** Names in addition to loopback ones whose pages can use the MCP endpoint. */
  readonly knownHosts: readonly string[];
}

/** Rejects only for a bug of the mock: every input of a client has a response. */
export type McpService = (request: CoreRequest) => Promise<McpServed>;

/** Loads the dependencies of the MCP endpoint, once. */
export async function createMcpService({ knownHosts, ...options }: McpOptions): Promise<McpService> {
  const { respond } = await loadProtocol();
  const pipeline = preparePipeline(options, mcpBodyBytesMax);
  return async (request) => {
    const message = readMessage(request);
    const trace = startTrace(request, routeMessage(message), pipeline);
    // Before anything is decided: once a change is made, nothing may fail any more.
    const asked = { ...request, ...describeRequest(message, trace) };
    const stranger = rejectStranger(request, knownHosts);
    if (stranger) return serve(stranger, rejection(stranger), null);
    const gate = passGate(request, trace, pipeline);
    if (!gate.admitted) {
      const turnedAway = writeAndCheck(gate.response, trace, pipeline);
      const isOfGateway = trace.fired && isGatewayError(trace.fault?.error);
      const response = isOfGateway ? turnedAway : toRpcError(turnedAway, message.id);
      return serve(response, rejection(turnedAway), gate.shownGrant);
    }
    const called: { decision?: Decision; bug?: unknown } = {};
    const response = await respond(request, message, () => {
      try {
        called.decision = respondCall(message.call as ToolCall, { caller: gate.caller, request, trace, pipeline });
        return toResult(called.decision, pipeline);
      } catch (bug) {
        // The protocol would hide it in a response; the transport has to report it.
        called.bug = bug;
        throw bug;
      }
    });
    if (called.bug !== undefined) throw called.bug;
    return serve(response, called.decision ?? rejection(response), gate.shownGrant);

    function serve(response: CoreResponse, decision: Decision, shownGrant: Grant | null): McpServed {
      const finished = finish(response, { request, trace, gate: { shownGrant }, faults: pipeline.faults });
      const restView = describeAsRest({ asked, response: decision.response, finished });
      return { ...decision, response: finished, trace, restView };
    }
  };
}

interface Circumstances {
  readonly caller: Caller;
  readonly request: CoreRequest;
  readonly trace: Draft;
  readonly pipeline: Pipeline;
}

/** A tool call, decided, checked and carried out; the response is the one that REST would give. */
function respondCall(call: ToolCall, { caller, request, trace, pipeline }: Circumstances): Decision {
  const match = trace.routing as ToolMatch;
  const { world } = pipeline;
  const stages = { operation: match.operation, readInput: () => readInput(call, match), handler: handlerOf(match) };
  const context = { world, organization: caller.organization, nowMs: trace.nowMs, origin: request.origin };
  const decided = operate(stages, context, trace);
  const response = writeAndCheck(decided.response, trace, pipeline);
  if (decided.change) pipeline.change(decided.change);
  return { ...decided, response };
}

// The route has the values of the REST path, also for the greased form of a review's id.
function readInput(call: ToolCall, { path }: ToolMatch): ReturnType<typeof readArguments> {
  const input = readArguments(call);
  return input.ok ? { ok: true, value: { ...input.value, ...path } } : input;
}

// The arguments are checked against the tool's own schema, which the compiler cannot see.
function handlerOf({ operation: { id } }: ToolMatch): AnyHandler {
  const found = Object.hasOwn(ownTools, id) ? ownTools[id as OwnToolName] : handlers[id as keyof typeof handlers];
  return found as AnyHandler;
}

/** Assumption C142: the body of REST, as data and as text; a rejection is marked as an error. Cites 7.envelope.tool. */
function toResult({ response, output }: Decision, { writer }: Pipeline): CallToolResult {
  const text = bodyText(response);
  // A writer says it in other words, and a rejection has no output: only then does the text have to be read again.
  const data = output && !writer() ? output : readObject(text);
  return {
    content: [{ type: 'text', text }],
    ...(data && { structuredContent: data as Record<string, unknown> }),
    ...(response.status === 200 ? {} : { isError: true }),
  };
}

/** Null for a custom response that is not a JSON object. */
function readObject(text: string): object | null {
  const data = parseJson(text);
  return isObject(data) ? data : null;
}

/** The rejection, or null for a request that may pass. */
function rejectStranger({ headers }: CoreRequest, knownHosts: readonly string[]): CoreResponse | null {
  const stranger = foreignPage(headers, knownHosts);
  if (stranger === null) return null;
  const message = `A page of ${stranger.slice(0, 200)} may not use the MCP endpoint; pages on localhost and private addresses may.`;
  return rpcError({ status: 403 }, { id: null, message });
}

/** Where the page is from; null when no page asks, or one that may. */
function foreignPage(headers: CoreRequest['headers'], knownHosts: readonly string[]): string | null {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) {
    return isOwnOrigin(origin, host) || !isForeignOrigin(origin, knownHosts) ? null : origin;
  }
  // A read within its own site has no origin: a name that was pointed here shows in Host alone.
  if (site === undefined) return null;
  if (site === 'cross-site') return 'another site';
  return host === undefined || isTrustedHost(host, knownHosts) ? null : host;
}
