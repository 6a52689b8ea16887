// The MCP door's pipeline: the same limiters, key, cap, faults and handlers as REST, in the same order, with the protocol
// between the gate and the handler. A request is decided at one instant: nothing behind the gate waits for anything but the
// protocol's own steps. Cites 8.key-window-shared, 8.body-mcp.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { mcpBodyBytesMax } from '../contract/generated/limits.ts';
import type { Caller } from '../http/caller.ts';
import { bodyText, type CoreRequest, type CoreResponse } from '../http/message.ts';
import type { ToolMatch } from '../http/route.ts';
import {
  admit,
  finish,
  type Pipeline,
  preparePipeline,
  type ServiceOptions,
  say,
  type Trace,
} from '../http/service.ts';
import { type Draft, startTrace } from '../http/trace.ts';
import { routeMessage } from './call-route.ts';
import { loadProtocol } from './load-protocol.ts';
import { readMessage, type ToolCall } from './message.ts';
import { operate } from './operate.ts';
import { describeAtRest, type RestView } from './rest-view.ts';
import { toRpcError } from './rpc-error.ts';
import { refuseStranger } from './stranger.ts';

export interface McpServed {
  readonly response: CoreResponse;
  readonly trace: Trace;
  /** The same exchange as it would have looked at the other door: what verdicts and the log of changes go by. */
  readonly atRest: RestView;
}

export interface McpOptions extends ServiceOptions {
  /** Names besides loopback ones whose pages may use the door. */
  readonly knownHosts: readonly string[];
  /** Told of a call that changed the world, with the answer in the form of REST, before anything else can happen. */
  readonly onMutation: (answer: CoreResponse, trace: Trace) => void;
}

export type McpService = (request: CoreRequest) => Promise<McpServed>;

/** Loads what the door needs, once. */
export async function createMcpService({ knownHosts, onMutation, ...options }: McpOptions): Promise<McpService> {
  const { respond } = await loadProtocol();
  const pipeline = preparePipeline(options, mcpBodyBytesMax);
  return async (request) => {
    const message = readMessage(request);
    const trace = startTrace(request, routeMessage(message), pipeline);
    const stranger = refuseStranger(request, knownHosts);
    if (stranger) return serve(stranger, stranger);
    const admission = admit(request, trace, pipeline);
    if (!admission.ok) {
      const refusal = say(admission.refusal, trace, pipeline);
      return serve(toRpcError(refusal, message.id), refusal);
    }
    const called: { answer?: CoreResponse; bug?: unknown } = {};
    const response = await respond(request, message, () => {
      try {
        called.answer = answerCall(message.call as ToolCall, { caller: admission.caller, request, trace, pipeline });
        if (trace.mutated) onMutation(called.answer, trace);
        return toResult(called.answer);
      } catch (bug) {
        // The protocol would make an answer of it; the door is to tell of it.
        called.bug = bug;
        throw bug;
      }
    });
    if (called.bug !== undefined) throw called.bug;
    return serve(admission.dress(response), called.answer ?? response);

    function serve(response: CoreResponse, answer: CoreResponse): McpServed {
      const finished = finish(response, { request, trace, faults: pipeline.faults });
      return { response: finished, trace, atRest: describeAtRest({ request, message, trace, answer, finished }) };
    }
  };
}

interface Circumstances {
  readonly caller: Caller;
  readonly request: CoreRequest;
  readonly trace: Draft;
  readonly pipeline: Pipeline;
}

function answerCall(call: ToolCall, { caller, request, trace, pipeline }: Circumstances): CoreResponse {
  const match = trace.routing as ToolMatch;
  const decided = operate(call, match, { caller, request, world: pipeline.world, trace });
  return say(decided, trace, pipeline);
}

/** Choice C142: the body of REST, as data and as text; a refusal is marked as an error. Cites 7.envelope.tool. */
function toResult(answer: CoreResponse): CallToolResult {
  const text = bodyText(answer);
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text),
    ...(answer.status === 200 ? {} : { isError: true }),
  };
}
