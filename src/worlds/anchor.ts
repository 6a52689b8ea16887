/** The instant at which the built-in and the generated worlds were written. Rebasing moves it to the clock. */
export const worldAnchor = '2026-01-15T12:00:00.000Z';
