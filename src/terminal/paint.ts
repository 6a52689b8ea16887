// Colors for people; nothing but text where the output is a file, a pipe, or NO_COLOR is set.

export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
}

export function createPaint(colored: boolean): Paint {
  const wrap = (code: number, end: number) => (text: string) =>
    colored ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  return { bold: wrap(1, 22), dim: wrap(2, 22), good: wrap(32, 39), warn: wrap(33, 39), bad: wrap(31, 39) };
}

/** Whether to use colors. NO_COLOR counts when it is set and not empty, as no-color.org has it. */
export function wantsColor({ flag, env, isTty }: { flag: boolean; env: NodeJS.ProcessEnv; isTty: boolean }): boolean {
  return flag && isTty && !env.NO_COLOR && env.TERM !== 'dumb';
}
