// Stands in the place of the SDK's own shims when the package is built: those for Node bring a second ajv along, which makes
// functions out of text, and none of it is needed here. See esbuild.config.ts.

/** Never asked: the server of this door has a validator of its own, which nobody asks either. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server asks its clients nothing.');
  }
}

/** For the transport over standard streams, which is not used. */
export const process = {};
