"""The MCP endpoint of stack.py: stateless Streamable HTTP with JSON responses, and tools of the contract."""
import csv
import io
import json

MCP_BODY_MAX = 1_048_576
VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")


def schema(required=(), **properties):
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


ACCOUNT = {"type": "string", "format": "uuid"}
TOOLS = {
    "create_connect_link": schema(
        ["provider", "label"],
        provider={"type": "string"},
        label={"type": "string", "minLength": 1, "maxLength": 80},
        maxAccounts={"type": "integer", "minimum": 1, "maximum": 20},
    ),
    "publish_post": schema(
        ["accountId", "text"],
        accountId=ACCOUNT,
        text={"type": "string", "minLength": 1, "maxLength": 5000},
        media={"type": "object"},
        link={"type": "string", "format": "uri"},
    ),
    "reply_to_review": schema(
        ["accountId", "reviewId", "text"],
        accountId=ACCOUNT,
        reviewId={"type": "string", "minLength": 1},
        text={"type": "string", "minLength": 1, "maxLength": 4096},
    ),
    "get_insights": schema(["accountId"], accountId=ACCOUNT, range={"type": "string"}),
    "calls_log": schema(
        since={"type": "string", "format": "date-time"}, limit={"type": "integer", "minimum": 1, "maximum": 200}
    ),
    "list_accounts": schema(),
    "list_reviews": schema(["accountId"], accountId=ACCOUNT, cursor={"type": "string"}),
    "inbox_list": schema(cursor={"type": "string"}),
    "customers_list": schema(max={"type": "integer", "minimum": 1, "maximum": 100}),
    "dialer_import_contacts": schema(
        csv={"type": "string", "maxLength": 2_000_000},
        rows={"type": "array", "items": {"type": "object"}, "maxItems": 5000},
    ),
}
KINDS = {"string": str, "integer": int, "array": list, "object": dict}


def rpc(ident, **result):
    return {"jsonrpc": "2.0", "id": ident, **result}


def rpc_error(ident, code, message):
    return rpc(ident, error={"code": code, "message": message})


def respond(text, call_tool):
    """The status and the body for one message. `call_tool` returns the output, and whether it is an error."""
    try:
        message = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return 400, rpc_error(None, -32700, "parse error")
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        return 400, rpc_error(None, -32600, "invalid request")
    if "id" not in message:
        return 202, None
    ident, params = message["id"], message.get("params") or {}
    match message["method"]:
        case "initialize":
            wanted = params.get("protocolVersion")
            return 200, rpc(ident, result={
                "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
                "capabilities": {"tools": {}}, "serverInfo": {"name": "python-stack", "version": "1.0.0"},
            })
        case "ping":
            return 200, rpc(ident, result={})
        case "tools/list":
            tools = [{"name": name, "description": name, "inputSchema": given} for name, given in TOOLS.items()]
            return 200, rpc(ident, result={"tools": tools})
        case "tools/call" if params.get("name") not in TOOLS:
            return 200, rpc_error(ident, -32602, "unknown tool")
        case "tools/call":
            output, is_error = call_tool(params["name"], params.get("arguments") or {})
            content = [{"type": "text", "text": json.dumps(output, ensure_ascii=False)}]
            result = {"content": content, "isError": is_error}
            return 200, rpc(ident, result=result if is_error else {**result, "structuredContent": output})
    return 200, rpc_error(ident, -32601, "method not found")


def problems(name, arguments):
    """The entries of `issues` for the arguments of a tool."""
    given = TOOLS[name]
    if not isinstance(arguments, dict):
        return [("", "must be an object")]
    found = [(key, "is required") for key in given["required"] if key not in arguments]
    for key, value in arguments.items():
        rule = given["properties"].get(key)
        if rule is None:
            found.append((key, "is not known"))
        elif isinstance(value, bool) or not isinstance(value, KINDS[rule["type"]]):
            found.append((key, f"must be of type {rule['type']}"))
        elif isinstance(value, str) and len(value) < rule.get("minLength", 0):
            found.append((key, "is too short"))
        elif isinstance(value, int) and not rule["minimum"] <= value <= rule["maximum"]:
            found.append((key, f"must be from {rule['minimum']} to {rule['maximum']}"))
        elif isinstance(value, (str, list)) and len(value) > rule.get("maxLength", rule.get("maxItems", 10**9)):
            found.append((key, "is too long"))
    if name == "dialer_import_contacts" and not found:
        if ("csv" in arguments) == ("rows" in arguments):
            found.append(("", "send either csv or rows"))
        elif "csv" in arguments and sum(1 for _ in csv.reader(io.StringIO(arguments["csv"]))) - 1 > 20_000:
            found.append(("csv", "has more than 20,000 contacts"))
    return found


def import_contacts(arguments):
    rows = arguments.get("rows")
    return {"imported": len(rows) if rows is not None else max(0, arguments["csv"].strip().count("\n"))}
