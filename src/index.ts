// Exports of `casa-kit`, for tests and tools.

export type { CustomResponse } from './domain/faults.ts';
export type { WorldData } from './domain/world-data.ts';
export type { ArticleWishes, ReviewWishes } from './engine/live-records.ts';
export type { MockOptions } from './engine/prepare-engine.ts';
export type { LoggedRequest } from './engine/request-log-record.ts';
export type { Snapshot } from './engine/snapshot.ts';
export type { Violation } from './engine/violations/violation.ts';
export type { DiffRecord, RecordKind, WorldDiff } from './engine/world-diff.ts';
export type { CasaConfig } from './options/mock-options.ts';
export type * from './testing/casa.ts';
export { type ConnectedCasa, type ConnectOptions, connectMock } from './testing/connect-mock.ts';
export { type CreateMockOptions, createMock } from './testing/create-mock.ts';
export { type StartMockOptions, startMock } from './testing/start-mock.ts';
export type { PartialAccount, PartialOrganization, PartialWorld } from './worlds/fill.ts';
