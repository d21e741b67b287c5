import { printRequest } from '../../../test/support/stages/print-request.ts';
import { outcome, type ReadInput, ReadStages } from '../../../test/support/stages/read-stages.ts';
import { testProfiles } from '../../../test/support/stages/test-profiles.ts';

interface Case extends ReadInput {
  readonly it: string;
  /** `section{…}` is a filter on a related row, and `9n` a bigint. */
  readonly gives: string;
}

const cases: readonly Case[] = [
  {
    it: 'compares an attribute with a value',
    query: 'articles?filters[title]=bread',
    gives: 'where title = "bread"',
  },
  {
    it: 'reads each value as the type of its attribute',
    query: 'articles?filters[rating]=4&filters[views]=9007199254740993&filters[featured]=true&filters[price][$gt]=1.5',
    gives: 'where (rating = 4 and views = 9007199254740993n and featured = true and price > 1.5)',
  },
  {
    it: 'reads dates, times and instants',
    query: 'articles?filters[day]=2024-02-29&filters[opens]=09:30:00&filters[startsAt]=2024-01-01T00:00:00Z',
    gives: 'where (day = "2024-02-29" and opens = "09:30:00.000" and startsAt = 1704067200000)',
  },
  {
    it: 'takes a list for any of its values',
    query: 'articles?filters[title][0]=a&filters[title][1]=b',
    gives: 'where title in ["a", "b"]',
  },
  {
    it: 'takes several operators for all of them',
    query: 'articles?filters[rating][$gte]=2&filters[rating][$lt]=4',
    gives: 'where (rating >= 2 and rating < 4)',
  },
  {
    it: 'takes several values of one operator for any of them',
    query: 'articles?filters[title][$contains][0]=a&filters[title][$contains][1]=b',
    gives: 'where (title with "a" anywhere (exact) or title with "b" anywhere (exact))',
  },
  {
    it: 'reads $between',
    query: 'articles?filters[rating][$between][0]=1&filters[rating][$between][1]=3',
    gives: 'where rating between 1 and 3',
  },
  {
    it: 'reads $null and $notNull with their words for true and false',
    query: 'articles?filters[title][$null]=true&filters[body][$notNull]=false',
    gives: 'where (title is null and body is null)',
  },
  {
    it: 'compares with null by a parameter without =',
    query: 'articles?filters[title][$ne]',
    gives: 'where title is not null',
  },
  {
    it: 'reads the text operators',
    query: 'articles?filters[title][$startsWith]=a&filters[title][$notContainsi]=b&filters[title][$eqi]=c&filters[title][$endsWith]=d',
    gives:
      'where (title with "a" start (exact) and title without "b" anywhere (ignoring case) and title with "c" whole (ignoring case) and title with "d" end (exact))',
  },
  {
    it: 'nests $and, $or and $not',
    query: 'articles?filters[$or][0][title]=a&filters[$or][1][$and][0][rating]=1&filters[$or][1][$and][1][$not][title]=b',
    gives: 'where (title = "a" or (rating = 1 and not(title = "b")))',
  },
  {
    it: 'passes through relations, media and components',
    query: 'articles?filters[section][name]=Bread&filters[cover][name]=a.png&filters[seo][description][$null]=true',
    gives: 'where (section{name = "Bread"} and cover{name = "a.png"} and seo{description is null})',
  },
  {
    it: 'passes through the components of a dynamic zone',
    query: 'articles?filters[blocks][on][part.quote][id]=1&filters[blocks][on][part.hero][$none][id]=2',
    gives: 'where (blocks{id = 1} and none blocks{id = 2})',
  },
  {
    it: 'compares the row id where a relation has a value',
    query: 'articles?filters[section]=7',
    gives: 'where section{id = 7}',
  },
  {
    it: 'takes a row id that cannot exist for no row',
    query: 'articles?filters[id]=abc',
    gives: 'where id is never',
  },
  {
    it: 'passes through several relations',
    query: 'articles?filters[section][articles][tags][name]=x',
    gives: 'where section{articles{tags{name = "x"}}}',
  },
  {
    it: 'refuses an unknown attribute',
    query: 'articles?filters[nope]=1',
    gives: '400 query.invalid-key: nope',
  },
  {
    it: 'refuses a private attribute',
    query: 'articles?filters[note]=1',
    gives: '400 query.invalid-key: note',
  },
  {
    it: 'refuses an unknown operator',
    query: 'articles?filters[title][$about]=1',
    gives: '400 query.invalid-key: $about at title',
  },
  {
    it: 'refuses an operator where an attribute must stand',
    query: 'articles?filters[$eq]=1',
    gives: '400 filter.operator-place',
  },
  {
    it: 'refuses a value of another type',
    query: 'articles?filters[rating]=many',
    gives: '400 filter.format',
  },
  {
    it: 'refuses filters that are a text',
    query: 'articles?filters=title',
    gives: '400 filter.shape',
  },
  {
    it: 'refuses a dynamic zone in filters',
    query: 'articles?filters[blocks][heading]=a',
    gives: '400 query.invalid-key: blocks',
  },
  {
    it: 'refuses a component that the zone does not list',
    query: 'articles?filters[blocks][on][shared.nope][id]=1',
    gives: '400 query.invalid-key: shared.nope at blocks',
  },
  {
    it: 'refuses conditions on a zone beside its components',
    query: 'articles?filters[blocks][on][shared.quote][id]=1&filters[blocks][id]=1',
    gives: '400 query.invalid-key: blocks',
  },
  {
    it: 'refuses $between with one value',
    query: 'articles?filters[rating][$between]=1',
    gives: '400 filter.between',
  },
  {
    it: 'refuses $or without a list',
    query: 'articles?filters[$or][title]=a',
    gives: '400 filter.group',
  },
  {
    it: 'refuses a key that is a name on every object',
    query: 'articles?filters[constructor]=1',
    gives: '400 query.invalid-key: constructor',
  },
];

const casesAsStrapi: readonly Case[] = [
  {
    it: 'takes a row id that cannot exist for no row',
    query: 'articles?filters[section]=abc',
    gives: 'where section{id is never}',
  },
  {
    it: 'negates each entry of a list in $not',
    query: 'articles?filters[title][$not][0]=a&filters[title][$not][1]=b',
    gives: 'where (not(title = "a") or not(title = "b"))',
  },
  {
    it: 'takes null for a text in $contains',
    query: 'articles?filters[title][$contains]',
    gives: 'where title with "null" anywhere (exact)',
  },
];

testProfiles(ReadStages, { specification: cases, strapi: casesAsStrapi }, (stages, input) =>
  outcome(() => stages.parse(input), printRequest),
);
