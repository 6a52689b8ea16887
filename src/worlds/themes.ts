// What the sites of a generated world write about: readable English instead of lorem ipsum.
import type { Faker } from '@faker-js/faker';

type Phrase = (faker: Faker) => string;

/** One subject: how a site about it is called, what its articles are titled, what people search for (`phrase`). */
export interface Theme {
  readonly siteName: Phrase;
  readonly titles: readonly Phrase[];
  readonly phrase: Phrase;
}

const furniture = ['table', 'chair', 'bookshelf', 'lamp', 'sofa', 'bed frame', 'desk', 'bench', 'cabinet', 'mirror'];
const materials = ['oak', 'linen', 'bamboo', 'marble', 'walnut', 'steel', 'cork', 'wool', 'concrete', 'rattan'];
const rooms = ['kitchen', 'bathroom', 'hallway', 'bedroom', 'balcony', 'home office', 'attic'];
const towns = [
  ...['Bergen', 'Ghent', 'Graz', 'Porto', 'Sintra', 'Girona', 'Bath', 'York', 'Galway', 'Aarhus', 'Malmö', 'Tartu'],
  ...['Riga', 'Toruń', 'Olomouc', 'Pécs', 'Piran', 'Kotor', 'Ohrid', 'Nafplio', 'Lecce', 'Lucca', 'Trento', 'Basel'],
  ...['Colmar', 'Annecy', 'Trier', 'Leipzig', 'Utrecht', 'Namur'],
];

const ingredient: Phrase = (faker) => faker.food.ingredient().toLowerCase();
const dish: Phrase = (faker) => faker.food.dish();
const piece: Phrase = (faker) => faker.helpers.arrayElement(furniture);
const material: Phrase = (faker) => faker.helpers.arrayElement(materials);
const room: Phrase = (faker) => faker.helpers.arrayElement(rooms);

export const town: Phrase = (faker) => faker.helpers.arrayElement(towns);

const kitchen: Theme = {
  siteName: (faker) => `${faker.person.lastName()} Kitchen`,
  titles: [
    (faker) => `${dish(faker)}, step by step`,
    (faker) => `How to store ${ingredient(faker)}`,
    (faker) => `What to cook with ${ingredient(faker)}`,
    (faker) => `Seven mistakes with ${ingredient(faker)}`,
    (faker) => `Our ${dish(faker)} for a crowd`,
  ],
  phrase: (faker) => {
    const asked = ['recipe', 'substitute', 'shelf life', 'calories', 'for beginners', 'vs olive oil'];
    return `${ingredient(faker)} ${faker.helpers.arrayElement(asked)}`;
  },
};

const home: Theme = {
  siteName: (faker) => `${faker.person.lastName()} Interiors`,
  titles: [
    (faker) => `How to choose a ${material(faker)} ${piece(faker)}`,
    (faker) => `Cleaning ${material(faker)} without regret`,
    (faker) => `${faker.number.int({ min: 5, max: 21 })} ideas for a small ${room(faker)}`,
    (faker) => `Is a ${material(faker)} ${piece(faker)} worth it?`,
  ],
  phrase: (faker) => {
    const wish = faker.helpers.arrayElement(['best', 'cheap', 'used', 'small']);
    return `${wish} ${material(faker)} ${piece(faker)}`;
  },
};

const travel: Theme = {
  siteName: (faker) => `${town(faker)} on Foot`,
  titles: [
    (faker) => `A weekend in ${town(faker)}`,
    (faker) => `${town(faker)} with children`,
    (faker) => `${town(faker)} by train: what it costs`,
    (faker) => `Where to eat in ${town(faker)}`,
  ],
  phrase: (faker) => {
    const asked = ['day trip', 'hiking', 'by train', 'map', 'in winter'];
    return `${town(faker).toLowerCase()} ${faker.helpers.arrayElement(asked)}`;
  },
};

/** Sites take them in turn. */
export const themes: readonly Theme[] = [kitchen, home, travel];

// Sentences of reviewers, by rating, and some names that are not plain ASCII.
export const foreignNames: readonly string[] = ['José García', '山田太郎', 'Zoë O’Brien'];

/** By rating, so a text does not contradict its stars. */
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
