// When a saved change is on the medium, and not only with the operating system. A process that is killed loses nothing
// either way. The interval is the default, because only a power failure or a crash of the system shows the difference,
// and a mock that waits for the disk with every write is several times slower.
export const saveSyncs = ['interval', 'always'] as const;

/** The value of `--save-sync`. */
export type SaveSync = (typeof saveSyncs)[number];
