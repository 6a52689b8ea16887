// What the sites of a generated world write about. Readable English instead of lorem ipsum.
import type { Faker } from '@faker-js/faker';

export type Phrase = (faker: Faker) => string;

export interface Theme {
  readonly siteName: Phrase;
  readonly titles: readonly Phrase[];
  readonly phrase: Phrase;
}

const ingredient: Phrase = (faker) => faker.food.ingredient().toLowerCase();
const dish: Phrase = (faker) => faker.food.dish();
const product: Phrase = (faker) => faker.commerce.product().toLowerCase();
const material: Phrase = (faker) => faker.commerce.productMaterial().toLowerCase();
const city: Phrase = (faker) => faker.location.city();

const kitchen: Theme = {
  siteName: (faker) => `${faker.person.lastName()} Kitchen`,
  titles: [
    (faker) => `${dish(faker)}, step by step`,
    (faker) => `How to store ${ingredient(faker)}`,
    (faker) => `What to cook with ${ingredient(faker)}`,
    (faker) => `Seven mistakes with ${ingredient(faker)}`,
    (faker) => `Our ${dish(faker)} for a crowd`,
  ],
  phrase: (faker) =>
    `${ingredient(faker)} ${faker.helpers.arrayElement(['recipe', 'substitute', 'shelf life', 'calories', 'for beginners'])}`,
};

const home: Theme = {
  siteName: (faker) => `${faker.person.lastName()} Interiors`,
  titles: [
    (faker) => `Choosing a ${product(faker)} that lasts`,
    (faker) => `How to clean ${material(faker)} at home`,
    (faker) => `${faker.color.human()} rooms that work`.replace(/^./, (letter) => letter.toUpperCase()),
    (faker) => `Is a ${material(faker)} ${product(faker)} worth it?`,
  ],
  phrase: (faker) =>
    `${faker.helpers.arrayElement(['best', 'cheap', 'used', 'small'])} ${material(faker)} ${product(faker)}`,
};

const travel: Theme = {
  siteName: (faker) => `${city(faker)} Walks`,
  titles: [
    (faker) => `A weekend in ${city(faker)}`,
    (faker) => `${city(faker)} with children`,
    (faker) => `From ${city(faker)} to ${city(faker)} by train`,
  ],
  phrase: (faker) =>
    `${city(faker).toLowerCase()} ${faker.helpers.arrayElement(['day trip', 'hiking', 'by train', 'map'])}`,
};

export const themes: readonly Theme[] = [kitchen, home, travel];
