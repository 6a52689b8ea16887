// Every check, in the order of the contract; phases order the run.
import type { Check } from '../check.ts';
import { articlePages } from './04-article-pages.ts';
import { articles } from './04-articles.ts';
import { keywords } from './04-keywords.ts';
import { sites } from './04-sites.ts';
import { authentication } from './05-authentication.ts';

export const checks: readonly Check[] = [...articles, ...articlePages, ...sites, ...keywords, ...authentication];
