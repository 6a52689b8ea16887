// Exports of `casa-kit/try`: a test of clients against errors, formats and pages that the contract allows.
export type { ClientReport, ClientViolation, DimensionReport } from './report.ts';
export type { ClientUnderTest, Scenario } from './run-in-process.ts';
export { type TryOptions, tryClient } from './try-client.ts';
