// Stands in the place of the official client's own shims when the package is built: those for Node bring an ajv along, which makes
// functions out of text, and the kit hands in a validator of its own. See esbuild.config.ts.

/** Never asked: answers are judged by the contract. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('The kit judges answers by the contract only.');
  }
}

/** The kit runs in Node. */
export const CORS_IS_POSSIBLE = false;
