// Sentences of reviewers, by rating, and some names that are not plain ASCII.
export const foreignNames: readonly string[] = ['José García', '山田太郎', 'Zoë O’Brien'];

/** By rating, so that a text does not contradict its stars. */
export const reviewSentences: Readonly<Record<number, readonly string[]>> = {
  1: [
    'Waited an hour and left hungry.',
    'Wrong order twice. Nobody apologized.',
    'The phone number on the website does not work.',
  ],
  2: ['Nice staff, but everything was cold.', 'Too loud, too slow, too expensive.', 'It used to be better.'],
  3: [
    'Fine. Nothing special.',
    'Good food, long queue.\nCome early.',
    'Parking is difficult, the rest is all right.',
    'Half of the menu was sold out by noon.',
  ],
  4: [
    'Very good, only the coffee could be stronger.',
    'Friendly and quick. We will come again.',
    'Solid.',
    'Would have been five stars with a table outside.',
    'Good bread, good people, bad music.',
    'Lovely place — a little hard to find.',
    'Great value at lunch.',
  ],
  5: [
    'Best in town!',
    'The team remembered us from last year. Wonderful.',
    'Everything was perfect, from booking to dessert. 👏',
    'Crème brûlée to die for.',
    'Quick, clean, honest.',
    'My daughter wants to move in.',
    'Ten years in a row, never disappointed.',
    'They opened early just for us. Thank you!',
  ],
};
