// Hooks of mutants into the MCP endpoint: requests, descriptions of tools, results of tools, and rejections.
import type { ToolName } from '../../contract/generated/tools.ts';
import type { Organization } from '../../domain/world.ts';
import type { CoreRequest, CoreResponse } from '../../http/message.ts';
import type { HandleMcp, MutantContext, WrapMcp } from './mutant.ts';
import { ownerOf } from './recipes.ts';
import { isObject, type JsonObject, onJson, readJson, withBody } from './rewrite.ts';

export interface Visit {
  readonly request: CoreRequest;
  readonly method: string | null;
  /** Of a call. */
  readonly tool: string | null;
  readonly input: JsonObject;
  readonly organization: Organization | null;
  readonly context: MutantContext;
}

/** Reads leniently, because the MCP endpoint itself rejects invalid messages. */
function visitOf(request: CoreRequest, context: MutantContext): Visit {
  const message = readJson(request.body);
  const { method, params } = isObject(message) ? message : {};
  const called = method === 'tools/call' && isObject(params) ? params : {};
  return {
    request,
    method: typeof method === 'string' ? method : null,
    tool: typeof called.name === 'string' ? called.name : null,
    input: isObject(called.arguments) ? called.arguments : {},
    organization: ownerOf(request, context),
    context,
  };
}

type Next = (request: CoreRequest) => ReturnType<HandleMcp>;

function onVisit(work: (visit: Visit, next: Next) => Promise<CoreResponse>): WrapMcp {
  return (next, context) => async (request) => work(visitOf(request, context), next);
}

/** Changes requests before the MCP endpoint gets them. */
export function onEntry(edit: (visit: Visit) => CoreRequest): WrapMcp {
  return onVisit((visit, next) => next(edit(visit)));
}

export function onLeave(edit: (response: CoreResponse, visit: Visit) => CoreResponse): WrapMcp {
  return onVisit(async (visit, next) => edit(await next(visit.request), visit));
}

const rpcStatus = { unauthorized: 401, payload_too_large: 413, rate_limit_exceeded: 429 } as const;

/** Changes rejections of the MCP endpoint, by their status; `rest` is the equivalent REST body. */
export function onRpcRejection(
  code: keyof typeof rpcStatus,
  edit: (response: CoreResponse, rest: JsonObject) => CoreResponse,
): WrapMcp {
  return onLeave((response) => {
    if (response.status !== rpcStatus[code]) return response;
    const body = readJson(response.body);
    const rest = isObject(body) && isObject(body.error) ? body.error.data : undefined;
    return edit(response, isObject(rest) ? rest : { error: code });
  });
}

/** Changes what `tools/list` says of the inputs of a tool. */
export function onSchema(tool: ToolName, edit: (schema: JsonObject) => JsonObject): WrapMcp {
  return onLeave((response, { method }) =>
    method !== 'tools/list'
      ? response
      : onResult(response, (result) => ({
          ...result,
          tools: (Array.isArray(result.tools) ? result.tools : []).map((listed) =>
            isObject(listed) && listed.name === tool && isObject(listed.inputSchema)
              ? { ...listed, inputSchema: edit(listed.inputSchema) }
              : listed,
          ),
        })),
  );
}

export function restate(tool: ToolName, input: string, statement: JsonObject): WrapMcp {
  return onProperties(tool, (properties) => {
    const { [input]: stated } = properties;
    return { ...properties, [input]: { ...(isObject(stated) ? stated : {}), ...statement } };
  });
}

export function onProperties(tool: ToolName, edit: (properties: JsonObject) => JsonObject): WrapMcp {
  return onSchema(tool, (schema) => ({
    ...schema,
    properties: edit(isObject(schema.properties) ? schema.properties : {}),
  }));
}

/** Changes the arguments of a call before the tool sees them. */
export function onInput(tool: ToolName, edit: (input: JsonObject, visit: Visit) => JsonObject): WrapMcp {
  return onEntry((visit) => {
    const edited = visit.tool === tool ? edit(visit.input, visit) : visit.input;
    return edited === visit.input ? visit.request : withInput(visit.request, edited);
  });
}

/** Changes only the input and keeps the rest of the message, such as its id. */
function withInput(request: CoreRequest, input: JsonObject): CoreRequest {
  const message = readJson(request.body);
  const params = isObject(message) && isObject(message.params) ? message.params : {};
  return withBody(request, { ...(isObject(message) ? message : {}), params: { ...params, arguments: input } });
}

/** Changes the response of a tool: the equivalent REST body, or its `error`. */
export function onToolResponse(tool: ToolName, edit: (body: JsonObject, visit: Visit) => JsonObject): WrapMcp {
  return onLeave((response, visit) =>
    visit.tool === tool && visit.organization ? onToolResult(response, (body) => edit(body, visit)) : response,
  );
}

export function onData(tool: ToolName, edit: (data: JsonObject, visit: Visit) => JsonObject): WrapMcp {
  return onToolResponse(tool, (body, visit) =>
    isObject(body.data) ? { ...body, data: edit(body.data, visit) } : body,
  );
}

/** Finds a right input wrong. */
export function fussy(tool: ToolName, path: string, rejects: (input: JsonObject) => boolean): WrapMcp {
  const issue = { path: `/${path}`, message: `${path} is not acceptable.`, rule: 'range' };
  const error = { code: 'invalid_input', message: 'The input is not valid.', issues: [issue] };
  return onVisit(async ({ request, ...visit }, next) => {
    if (visit.tool !== tool || !rejects(visit.input)) return next(request);
    // The tool must not do what is then rejected.
    return onToolResult(await next(withInput(request, wrongForAll)), () => ({ error }));
  });
}

const wrongForAll = { accountId: 0, provider: 0, limit: 0, cursor: 0, max: 0, csv: 0 };

/** Responds to a rejected call as if all were well. */
export function thankful(tool: ToolName, lets: (input: JsonObject) => boolean, data: JsonObject): WrapMcp {
  return onToolResponse(tool, (body, { input }) =>
    isObject(body.error) && lets(input) ? { data, summary: 'Done.' } : body,
  );
}

/** Text and structured content together, since a client may read either. */
function onToolResult(response: CoreResponse, edit: (body: JsonObject) => JsonObject): CoreResponse {
  return onResult(response, ({ isError: _isError, ...result }) => {
    const content = isObject(result.structuredContent) ? result.structuredContent : null;
    if (content === null) return { ...result, ...(_isError === undefined ? {} : { isError: _isError }) };
    const body = edit(content);
    return {
      ...result,
      content: [{ type: 'text', text: JSON.stringify(body) }],
      structuredContent: body,
      ...(isObject(body.error) ? { isError: true } : {}),
    };
  });
}

/** Responses that are errors of JSON-RPC have none, and stay. */
function onResult(response: CoreResponse, edit: (result: JsonObject) => JsonObject): CoreResponse {
  return onJson(response, (message) =>
    isObject(message) && isObject(message.result) ? { ...message, result: edit(message.result) } : message,
  );
}
