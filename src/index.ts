// What a test author or a tool gets from `import … from 'casa-kit'`.
export type {
  Casa,
  CasaCalls,
  CasaClock,
  CasaFaults,
  CasaJournal,
  CasaKey,
  CasaKeys,
  CasaOrganizations,
  JournalFilter,
  NewFault,
} from './adapters/casa.ts';
export { type CreateMockOptions, createMock } from './adapters/create-mock.ts';
export type { MockOptions } from './adapters/mock-engine.ts';
export { type StartMockOptions, startMock } from './adapters/start-mock.ts';
export type { CasaConfig } from './cli/settings.ts';
export type { JournalRecord } from './control/journal-record.ts';
export type { Snapshot } from './control/snapshot.ts';
export type { Verdict } from './control/verdicts/verdict.ts';
export type { WorldData } from './domain/world-data.ts';
