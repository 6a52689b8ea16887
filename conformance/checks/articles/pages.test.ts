import {
  again,
  article,
  articles,
  judges,
  otherSiteId,
  page,
  siteId,
  uuid,
} from '../../../fixtures/test-kit/articles.ts';
import type { Line } from '../../../fixtures/test-kit/history.ts';
import type { Judged } from '../../judge/judge.ts';
import { articleById } from './by-id.ts';
import { articlePages } from './list.ts';
import { agreeing } from './reads.ts';

const [everyPage, walk] = articlePages as [Judged, Judged];
const oneRecord = articleById.at(-1) as Judged;
const [ceiling, value, end, lost] = ['limit-ceiling', 'cursor-value', 'end', 'walk'].map(
  (name) => `fail 4.articles.list.${name}`,
);
const vacuous = 'inconclusive(vacuous)';
const changed = 'inconclusive(interference)';
const other = articles('', [article('9'), article('9')], null);
const offset = [article('9'), article('8', { createdAt: '2026-01-08T14:00:00+02:00' })];

judges(everyPage, [
  ['a full page with a cursor', [page('?limit=2', '98>')], 'pass'],
  ['a last page proves no limit', [page('?limit=2', '98')], vacuous],
  ['more than its limit', [page('?limit=2', '987>')], `${ceiling} x1`],
  ['more than its limit after a cursor', [page('', '98>'), page('?limit=1&cursor=<8', '76')], `${ceiling} x2`],
  ['an invalid limit is left out', [page('?limit=0', '987>'), page('?limit=1&limit=2', '98')], vacuous],
  ['a cursor that no page has given is left out', [page('?limit=1&cursor=<8', '76')], vacuous],
  ['a siteId in a rare form is left out', [page(`?siteId=%61${siteId.slice(1)}&limit=1`, '97')], vacuous],
  ['a cursor of another article', [articles('', [article('9'), article('8')], article('9').createdAt)], `${value} x1`],
  ['a cursor in another spelling', [articles('', offset, article('8').createdAt)], 'pass'],
  ['an empty page after the last one', [page('?limit=2', '98>'), page('?limit=2&cursor=<8', '')], 'pass'],
  ['an empty page with a cursor', [page('?limit=2', '98>'), page('?limit=2&cursor=<8', '>')], `${end} x2`],
  ['the same cursor again', [page('?limit=2', '98>'), page('?limit=2&cursor=<8', '98>')], `${end} x2`],
  ['an article twice', again([other], [1]), `${lost} x1`],
]);

const whole = page('?limit=100', '987654321');
const start = page('?limit=4', '9876>');
const rest = (digits: string) => page('?limit=100&cursor=<6', digits);
const ofSite = page(`?siteId=${siteId}&limit=100`, '97531');
const ofOther = page(`?siteId=${otherSiteId}&limit=100`, '8642');
const tied = { createdAt: article('6').createdAt };
const tiedWhole = articles('?limit=100', [article('9'), article('6'), article('5', tied), article('4')], null);
const tiedStart = articles('?limit=2', [article('9'), article('6')], article('6').createdAt);
const lacking = [whole, start, rest('54321'.replace('5', ''))];

// biome-ignore format: one row a line
judges(walk, [
  ['a walk with every article', [whole, start, rest('54321')], 'pass'],
  ['one page', [whole], vacuous],
  ['a walk that lacks an article', again(lacking, [2, 3], whole), `${lost} x3`],
  ['one that lacks a deleted article', again(lacking, [2, 3], page('?limit=100', '98764321')), changed],
  ['one that lacks an edited article', again(lacking, [2, 3], page('?limit=100', '9876')), changed],
  ['one whose requests were not sent again', lacking, 'inconclusive(budget)'],
  ['one that lacks what came later', [start, rest('4321'), whole], 'pass'],
  ['an empty last page', [whole, page('?limit=9', '987654321>'), page('?limit=9&cursor=<1', '')], 'pass'],
  ['an end before its time', again([page('?limit=100', '987654321'), page('?limit=4', '9876')], [2], whole), `${lost} x2`],
  ['the article of the cursor once more', again([whole, start, rest('654321')], [2, 3], whole), `${lost} x3`],
  [
    'the first page after the last one',
    again([whole, start, page('?limit=5&cursor=<6', '54321>'), page('?limit=5&cursor=<1', '98765>')], [2, 3, 4], whole),
    `${lost} x4`,
  ],
  [
    'a tie at the edge of a page',
    again([tiedWhole, tiedStart, articles('?limit=2&cursor=<6', [article('4')], null)], [2, 3], tiedWhole),
    'warn 4.articles.list.walk x3',
  ],
  ['a page that lacks the article after a cursor', again([whole, page('?limit=2&cursor=<7', '54>')], [1, 2], whole), `${lost} x2`],
  [
    'a new article on the first page',
    [
      whole,
      page('?limit=2', '09>'),
      page('?limit=100', '0987654321', { confirms: 'x1' }),
      page('?limit=2', '09>', { confirms: 'x2' }),
    ],
    changed,
  ],
  ['articles of no order', [page('?limit=100', '5728'), page('?limit=2', '57>'), page('?limit=2&cursor=<7', '28')], 'pass'],
  [
    'articles of no order, with one from before',
    again([page('?limit=100', '5728'), page('?limit=2&cursor=<7', '85')], [1, 2], page('?limit=100', '5728')),
    `${lost} x2`,
  ],
  ['pages of a site', [whole, page(`?siteId=${siteId}&limit=2`, '97>'), page(`?siteId=${siteId}&cursor=<7`, '531')], 'pass'],
  [
    'pages of a site that lack an article',
    again([whole, page(`?siteId=${siteId}&limit=2`, '97>'), page(`?siteId=${siteId}&cursor=<7`, '51')], [2, 3], whole),
    `${lost} x3`,
  ],
  ['an empty page of a site with articles', again([whole, page(`?siteId=${siteId}`, '>')], [2], whole), `${lost} x2`],
  ['a page of a site with articles of others', [whole, page(`?siteId=${siteId}&limit=2`, '98>')], vacuous],
  ['an empty page of the site in capitals', [whole, page(`?siteId=${siteId.toUpperCase()}`, '')], vacuous],
  ['a walk that lacks what a list of a site has shown', again([ofSite, ofOther, start, rest('4321')], [3, 4], ofSite), `${lost} x4`],
]);

const single = (digit: string): Line => [`good GET /articles/${uuid(digit)}`, { data: article(digit) }];

judges(agreeing, [
  ['pages that agree', [whole, ofSite], 'pass'],
  ['one page', [whole], vacuous],
  ['pages in no order', [page('', '987'), page('?limit=2', '79')], vacuous],
  ['articles that fall and rise', [page('?limit=2', '98>'), page('?limit=3', '789')], vacuous],
  ['a page that lacks an article', again([whole, page('?limit=3', '986>')], [2], single('7')), `${lost} x2`],
  ['a page that lacks an article that is gone', again([whole, page('?limit=3', '986>')], [2]), changed],
  [
    'a page that lacks a new article',
    [page('?limit=3', '986>'), whole, page('?limit=3', '987>', { confirms: 'x1' })],
    changed,
  ],
  ['a first page without the first one', again([whole, page('?limit=2', '87>')], [2], single('9')), `${lost} x2`],
  ['a first page before a new one', [page('?limit=2', '87>'), whole], 'pass'],
  [
    'a page of a site that lacks an article',
    again([whole, page(`?siteId=${siteId}&limit=2`, '95>')], [2], single('7')),
    'fail 4.articles.list.site-id x2',
  ],
  [
    'a full page without a cursor',
    again(
      [page('?limit=3', '987'), rest('54321'), page('?limit=3&cursor=<7', '654>'), page('', '98765>')],
      [1],
      single('6'),
    ),
    changed,
  ],
  [
    'an end before articles that others have shown',
    again([page('', '9876>'), page('?limit=3', '987')], [2], single('6')),
    `${end} x2`,
  ],
]);

const edited = (fields: object) => articles('?limit=2', [article('9', fields), article('8')], article('8').createdAt);

judges(oneRecord, [
  ['the same on each page', [whole, start], 'pass'],
  ['one page', [whole], vacuous],
  ['another title', again([whole, edited({ title: 'Other' })], [2], whole), 'fail 4.articles.list.endpoint x2'],
  ['another title for good', again([whole, edited({ title: 'Other' })], [2], edited({ title: 'Other' })), changed],
  ['another title and updatedAt', [whole, edited({ title: 'Other', updatedAt: '2026-02-01T00:00:00Z' })], 'pass'],
  [
    'another createdAt',
    again([whole, edited({ createdAt: '2020-01-09T12:00:00Z' })], [2], whole),
    'fail 4.articles.list.endpoint x2',
  ],
  ['another siteId', again([whole, edited({ siteId: otherSiteId })], [2], whole), 'fail 4.articles.list.endpoint x2'],
  ['no updatedAt', [whole, edited({ title: 'Other', updatedAt: undefined })], 'pass'],
]);
