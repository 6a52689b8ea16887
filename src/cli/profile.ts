// The settings that bend the contract, in the words of the banner.

import { behaviors } from '../contract/generated/behaviors.ts';
import { operations } from '../contract/generated/operations.ts';
import { behaviorsOf, type Profile as Learnt } from '../contract/profile.ts';
import { kebab } from '../contract/words.ts';
import { optionRows } from '../options/mock-options.ts';
import { count } from '../terminal/count.ts';
import type { ChosenMutant } from './mutant-flag.ts';
import type { MockSettings } from './settings.ts';

/** `name` is short, for the admin API; `phrases` are for the banner. */
export interface Profile {
  readonly name: string;
  readonly phrases: readonly string[];
}

/** Each setting that bends the contract is named, so it is not confused with production. */
export function profileOf(settings: MockSettings, mutant: ChosenMutant | null = null): Profile {
  const { limits, settleS, grease, faults, behavior, save, saveSync, profile, latency, upstream } = settings;
  const isContract = limits && settleS === null;
  const name = !limits && settleS === 0 ? 'relaxed' : isContract ? 'contract' : 'adjusted';
  const names = [name];
  const limited = limits ? '10 requests in 10 s per address, 60 a minute per key' : 'no rate limits';
  const settled = settleS === 0 ? 'ended calls appear at once' : `ended calls appear after ${settleS ?? 300} s`;
  const phrases = [`${name}: ${limited}, ${settled}`];
  for (const [name, { banner }] of optionRows) {
    if (banner === undefined || settings[name] !== true) continue;
    names.push(name);
    phrases.push(`${name}: ${banner}`);
  }
  if (grease !== null) {
    names.push('greased');
    phrases.push(`unspecified behavior varies at random (--grease=${grease})`);
  }
  if (profile !== null) {
    names.push('calibration');
    phrases.push(...describeProfile(profile.profile, latency));
  }
  if (faults.length > 0) phrases.push(`${count(faults.length, 'fault')} from the start`);
  for (const [name, value] of Object.entries(behavior)) phrases.push(`behavior: ${kebab(name)} is ${value}`);
  if (save !== null) {
    const when = saveSync === 'always' ? ', on the disk before each response' : '';
    phrases.push(`saved: ${save} keeps changes by clients across restarts${when}`);
  }
  if (upstream !== null) {
    names.push('forwarding');
    const own = Object.values(operations).filter(({ id }) => !upstream.forward.includes(id));
    phrases.push(`${upstream.baseUrl} responds to ${upstream.forward.join(', ')}`);
    if (own.length > 0) phrases.push(`the mock responds to ${own.map(({ id }) => id).join(', ')}; see --forward`);
    if (upstream.learn !== null) phrases.push(`learning: the profile is written to ${upstream.learn}`);
    if (upstream.record !== null) phrases.push(`recorded: traffic is written to ${upstream.record}`);
  }
  if (mutant) {
    const { name, breaks, shows, fact } = mutant;
    names.push(`mutant ${name}`);
    phrases.push(`mutant ${name}: ${shows}`, `  violates ${breaks}: ${fact}`);
  }
  return { name: names.join(', '), phrases };
}

/** The learnt behaviors, and the unknown ones, for which the mock has defaults. */
function describeProfile(profile: Learnt, hasLatency: boolean): string[] {
  const { target, learntOn, unknown, notLearnt } = profile;
  const learnt = Object.keys(behaviorsOf(profile)).length;
  const open = Object.keys(unknown);
  const lines = [
    `calibrated mock of ${target}, learnt on ${learntOn}: ${learnt} of ${Object.keys(behaviors).length} behaviors`,
  ];
  if (open.length > 0) lines.push(`  defaults, because unknown: ${open.map(kebab).join(', ')}`);
  if (notLearnt.length > 0) lines.push(`  not learnt, because they break the contract: ${notLearnt.length}`);
  if (hasLatency) lines.push('  responses take as long as those of the deployment');
  return lines;
}
