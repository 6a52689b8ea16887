// In which behaviors a mock starts: those of the command line, of its save file, or the default ones.
import { type BehaviorsSource, behaviorsOf, sourceOf } from '../contract/profile.ts';
import type { SaveFile } from './save/save-file.ts';
import type { MockSettings } from './settings.ts';

/** The flags of the command line, which override the profile. Null without any. */
export function behaviorsAsked({ profile, behavior, grease }: MockSettings): BehaviorsSource | null {
  if (profile === null && grease === null && Object.keys(behavior).length === 0) return null;
  if (profile === null) return { chosen: behavior, grease };
  return { chosen: behaviorsOf(profile.profile, behavior), grease, learnt: sourceOf(profile.profile) };
}

export const noBehaviors: BehaviorsSource = { chosen: {}, grease: null };

/** Where a mock begins. */
export interface StartBehaviors {
  readonly asked: BehaviorsSource | null;
  /** Those in which the world of the start is written. */
  readonly ofWorld: BehaviorsSource;
  readonly inForce: BehaviorsSource;
  /** Whether other behaviors must be saved than those in the file. */
  readonly isNew: boolean;
}

/** The command line wins as a whole; where it says nothing, the behaviors of the save file stay. */
export function settleBehaviors(settings: MockSettings, save: SaveFile | null): StartBehaviors {
  const asked = behaviorsAsked(settings);
  const kept = save === null ? asked : (save.head.behaviors ?? null);
  const isNew = asked !== null && (kept === null || !isSameSource(asked, kept));
  return { asked, ofWorld: kept ?? noBehaviors, inForce: asked ?? kept ?? noBehaviors, isNew };
}

/** In any order. */
export function isSameSource(one: BehaviorsSource, other: BehaviorsSource): boolean {
  const text = ({ chosen, grease }: BehaviorsSource) =>
    JSON.stringify([Object.entries(chosen).sort(([a], [b]) => (a < b ? -1 : 1)), grease]);
  return text(one) === text(other);
}

/** The field of a save file's head; none for the default behaviors. */
export function forHead(behaviors: BehaviorsSource | null): { readonly behaviors?: BehaviorsSource } {
  return behaviors === null || isSameSource(behaviors, noBehaviors) ? {} : { behaviors };
}

export function describeBehaviors(settings: MockSettings, behaviors: StartBehaviors): (string | null)[] {
  // A flag that does nothing would be a riddle.
  const isIdle = settings.latency && !behaviors.inForce.chosen.latency;
  const idle = '--latency does nothing: no profile says how long responses take';
  return [describeSource(settings, behaviors), isIdle ? idle : null];
}

/** Null where the command line and the file say the same. */
function describeSource({ save }: MockSettings, { asked, inForce, isNew }: StartBehaviors): string | null {
  if (save === null || isSameSource(inForce, noBehaviors)) return null;
  if (isNew) return `${save} was saved in other behaviors; those of the command line hold now, ids and keys stay`;
  if (asked !== null) return null;
  const { chosen, grease } = inForce;
  const count = Object.keys(chosen).length;
  const named = [
    ...(grease === null ? [] : [`grease ${grease}`]),
    ...(count === 0 ? [] : [`${count} chosen or learnt`]),
  ];
  return `responses in the behaviors that ${save} was saved in: ${named.join(', ')}`;
}
