/** Returns the path prefix that a proxy adds (`--public-url https://dev.example.com/casa`). */
export function rootPath(): string {
  return /^(.*?)\/__admin(?:\/|$)/.exec(location.pathname)?.[1] ?? '';
}
