/**
 * The path before those of the mock: a proxy may have put it below one (`--public-url https://dev.example.com/casa`).
 */
export function rootPath(): string {
  return /^(.*?)\/__admin(?:\/|$)/.exec(location.pathname)?.[1] ?? '';
}
