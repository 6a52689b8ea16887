// In which readings a mock starts: those of the command line, of its save file, or the default ones.
import { type ReadingsSource, readingsOf } from '../contract/profile.ts';
import type { SaveFile } from './save/save-file.ts';
import type { MockSettings } from './settings.ts';

/** What the command line says; a choice by hand wins over the profile. Null when it says nothing. */
export function readingsAsked({ profile, choices, grease }: MockSettings): ReadingsSource | null {
  if (profile === null && grease === null && Object.keys(choices).length === 0) return null;
  return { chosen: { ...(profile === null ? {} : readingsOf(profile.profile)), ...choices }, grease };
}

/** The readings of a mock that nobody told any. */
export const noReadings: ReadingsSource = { chosen: {}, grease: null };

/** Where a mock begins. */
export interface StartReadings {
  readonly asked: ReadingsSource | null;
  /** Those in which the world of the start is written. */
  readonly ofWorld: ReadingsSource;
  readonly inForce: ReadingsSource;
  /** Whether the file is to be told others than it has. */
  readonly isNew: boolean;
}

/** The command line wins as a whole; where it says nothing, the readings of the save file stay. */
export function settleReadings(settings: MockSettings, save: SaveFile | null): StartReadings {
  const asked = readingsAsked(settings);
  const kept = save === null ? asked : (save.head.readings ?? null);
  const isNew = asked !== null && (kept === null || !isSameSource(asked, kept));
  return { asked, ofWorld: kept ?? noReadings, inForce: asked ?? kept ?? noReadings, isNew };
}

/** Whatever the order in which they were named. */
export function isSameSource(one: ReadingsSource, other: ReadingsSource): boolean {
  const text = ({ chosen, grease }: ReadingsSource) =>
    JSON.stringify([Object.entries(chosen).sort(([a], [b]) => (a < b ? -1 : 1)), grease]);
  return text(one) === text(other);
}

/** The member of a save file's head; none for the default readings. */
export function forHead(readings: ReadingsSource | null): { readonly readings?: ReadingsSource } {
  return readings === null || isSameSource(readings, noReadings) ? {} : { readings };
}

/** What a user may be surprised by, one sentence each. */
export function describeReadings(settings: MockSettings, readings: StartReadings): (string | null)[] {
  return [describeSource(settings, readings), describeLatency(settings, readings)];
}

/** A flag that does nothing would be a riddle. */
function describeLatency({ latency }: MockSettings, { inForce: { chosen } }: StartReadings): string | null {
  return !latency || chosen.latency ? null : '--latency does nothing: no profile says how long answers take';
}

/** Null where the command line and the file say the same. */
function describeSource({ save }: MockSettings, { asked, inForce, isNew }: StartReadings): string | null {
  if (save === null || isSameSource(inForce, noReadings)) return null;
  if (isNew) return `${save} was saved in other readings; those of the command line hold now, ids and keys stay`;
  if (asked !== null) return null;
  const { chosen, grease } = inForce;
  const count = Object.keys(chosen).length;
  const named = [
    ...(grease === null ? [] : [`grease ${grease}`]),
    ...(count === 0 ? [] : [`${count} chosen or learnt`]),
  ];
  return `answers in the readings that ${save} was saved in: ${named.join(', ')}`;
}
