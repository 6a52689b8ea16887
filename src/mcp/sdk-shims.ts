// Stands instead of the SDK's own shims, server and client, when the package is built: those for Node bring an ajv
// along that makes functions out of text. Both commands judge messages by the contract. See build.ts.

/** Never used: the MCP endpoint and the kit pass their own validators. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('Messages are checked by the contract only.');
  }
}

/** Of the server: for the transport over standard streams, which is not used. */
export const process = {};

/** Of the client: the kit runs in Node. */
// biome-ignore lint/style/useNamingConvention: the SDK imports this name
export const CORS_IS_POSSIBLE = false;
