// What `conformance calibrate --help` says: flags that mean something to a calibration, and exit codes of its own.
import { describeFlags } from '../../src/terminal/flag-parser.ts';
import { keyRows } from '../probe/capabilities.ts';
import { flagTable } from './flags.ts';

const groups = ['target', 'checks', 'pace'] as const;
const further = ['profile', 'check', 'plan', 'help'] as const;

const exits: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'the profile is learnt; with --check: no reading has moved'],
  [1, 'with --check: a reading has moved'],
  [2, 'the command line, a file it names or a key is wrong'],
  [3, 'nothing could be learnt or compared: a limiter refuses every request, or --check shares no reading'],
  [4, 'the deployment cannot be reached, the run was stopped, or the kit failed'],
];

/** At most 120 columns. */
export function calibrateHelpText(): string {
  const ofGroups = Object.entries(flagTable).filter(([, { group }]) => groups.some((each) => each === group));
  const others = ofGroups.filter(([name]) => name !== 'url');
  const own = further.flatMap((name) => (flagTable[name] === undefined ? [] : [[name, flagTable[name]] as const]));
  return `Usage
  conformance calibrate --base-url URL --profile FILE    learn how a deployment reads the contract
  conformance calibrate --base-url URL --check FILE      has it moved since?

Sends what an audit sends, reads and requests that the contract refuses without effect, and at most 60 further reads.
The file is written as a whole at the end; without --profile and --check the profile goes to standard output.
casa mock --profile FILE answers by it. The key comes from ${keyRows.good.variable}.

Profile
${describeFlags(Object.fromEntries(own), flagTable)}
Run
${describeFlags(Object.fromEntries(others), flagTable)}
Exit codes
${exits.map(([code, meaning]) => `  ${code}  ${meaning}`).join('\n')}
`;
}
