// Exports of `casa-kit/api/zod`: a schema for each type, with the same name. They use the project's own zod: 4, or
// `zod/v4` of 3.25.
export * from '../contract/generated/zod-schemas.ts';
export { ReviewItem as Review } from '../contract/generated/zod-schemas.ts';
