// The sections of the contract, by which reports and lists are ordered. The first part of a clause id is the number of
// its section.

export const sections = [
  { number: '1', title: 'What the service does' },
  { number: '2', title: 'Resources and their fields' },
  { number: '3', title: 'States and transitions' },
  { number: '4', title: 'Endpoints' },
  { number: '5', title: 'Authentication' },
  { number: '6', title: 'Events' },
  { number: '7', title: 'Errors' },
  { number: '8', title: 'Limits' },
  { number: '9', title: 'Versioning' },
] as const;

export type Section = (typeof sections)[number];
