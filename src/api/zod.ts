// What a client of the API gets from `import … from 'casa-kit/api/zod'`: a schema for each type, by the same name. It
// is made with the project's own zod 4.
export * from '../contract/generated/zod-schemas.ts';
export { ReviewItem as Review } from '../contract/generated/zod-schemas.ts';
