// The Date header (choice C70). Its text is made once a second: most answers share it with the one before.

let knownSecond = Number.NaN;
let knownDate = '';

/** In the form of RFC 9110; whole seconds, rounded down. */
export function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== knownSecond) {
    knownSecond = second;
    knownDate = new Date(nowMs).toUTCString();
  }
  return knownDate;
}
