import { expect, it } from 'vitest';
import { printRequest } from '../../../test/support/stages/print-request.ts';
import { outcome, ReadStages } from '../../../test/support/stages/read-stages.ts';
import type { SelectionsByType } from '../../config/named-selections.ts';
import type { Profile } from '../../config/profile.ts';
import { StartError } from '../../errors/start-error.ts';
import { checkSelections } from './check-selections.ts';

const selections: SelectionsByType = {
  'api::article.article': {
    card: { fields: ['title'], populate: { section: { selection: 'short' }, tags: { fields: 'name', sort: 'name' } } },
    page: { selection: 'card', fields: 'slug', populate: { blocks: { on: { 'part.hero': { selection: 'big' } } } } },
  },
  'api::section.section': { short: { fields: ['name'] } },
  'part.hero': { big: { fields: 'heading', populate: ['image'] } },
};

class SelectingStages extends ReadStages {
  override readonly magazine: ReadStages['magazine'];

  constructor(profile: Profile, given = selections) {
    super(profile);
    const { model, config } = new ReadStages(profile).magazine;
    this.magazine = { model, config: { ...config, selections: given } };
  }
}

const card = 'fields[]=title&populate[section][fields]=name&populate[tags][fields]=name&populate[tags][sort]=name';

/** What a query with a selection is the same as. */
const same: readonly { readonly it: string; readonly query: string; readonly as: string }[] = [
  { it: 'stands for its fields and its population', query: 'articles?selection=card', as: `articles?${card}` },
  { it: 'is for one document, too', query: 'articles/doc1?selection=card', as: `articles/doc1?${card}` },
  {
    it: 'may have another selection, and those of components',
    query: 'articles?selection=page',
    as: 'articles?fields=slug,title&populate[blocks][on][part.hero][fields]=heading&populate[blocks][on][part.hero][populate]=image&populate[section][fields]=name&populate[tags][fields]=name&populate[tags][sort]=name',
  },
  {
    it: 'is an option of a relation',
    query: 'tags?populate[articles][selection]=card&populate[articles][filters][title]=a',
    as: 'tags?populate[articles][fields]=title&populate[articles][filters][title]=a&populate[articles][populate][section][fields]=name&populate[articles][populate][tags][fields]=name&populate[articles][populate][tags][sort]=name',
  },
  {
    it: 'is an option inside of a dynamic zone',
    query: 'articles?populate[blocks][on][part.hero][selection]=big',
    as: 'articles?populate[blocks][on][part.hero][fields]=heading&populate[blocks][on][part.hero][populate]=image',
  },
  { it: 'adds fields to those of the query', query: 'articles?selection=card&fields=slug', as: `articles?fields[]=slug&${card}` },
  { it: 'with * for all fields', query: 'articles?selection=card&fields=*', as: `articles?${card.replace('fields[]=title&', '')}` },
  {
    it: 'leaves the options of an attribute to the query, and adds fields and population to them',
    query: 'articles?selection=card&populate[tags][fields]=id&populate[tags][sort]=id&populate[cover]=true',
    as: 'articles?fields=title&populate[tags][fields]=id,name&populate[tags][sort]=id&populate[cover]=true&populate[section][fields]=name',
  },
  {
    it: 'leaves out what the query switches off',
    query: 'articles?selection=card&populate[tags]=false',
    as: 'articles?fields=title&populate[section][fields]=name',
  },
  {
    it: 'goes with a list of names',
    query: 'articles?selection=card&populate=cover,section.editor',
    as: 'articles?fields=title&populate[cover]=true&populate[section][fields]=name&populate[section][populate][editor]=true&populate[tags][fields]=name&populate[tags][sort]=name',
  },
];

it.each(['specification', 'strapi'] as const)('a selection of profile %s makes the request of what it stands for', (profile) => {
  const stages = new SelectingStages(profile);
  for (const { it: name, query, as } of same)
    expect(printRequest(stages.parse({ query })), name).toBe(printRequest(stages.parse({ query: as })));
});

it.each([
  ['an unknown name', 'articles?selection=crad', '400 populate.selection: crad'],
  ['a name of another type', 'articles?populate[section][selection]=card', '400 populate.selection: card at section'],
  ['a list', 'articles?selection[]=card', '400 populate.selection'],
  ['a zone, which has several types', 'articles?populate[blocks][selection]=big', '400 populate.zone'],
  ['an unknown attribute beside it', 'articles?selection=card&populate[nope]=true', '400 query.invalid-key: nope'],
])('refuses %s', (_, query, gives) => {
  expect(outcome(() => new SelectingStages('specification').parse({ query }), printRequest)).toContain(gives);
});

it('suggests a name', () => {
  expect(() => new SelectingStages('specification').parse({ query: 'articles?selection=cardd' })).toThrow(
    expect.objectContaining({ help: expect.stringContaining('did you mean card?') }),
  );
});

it.each<readonly [string, SelectionsByType, string]>([
  ['an unknown type', { 'api::nope.nope': {} }, 'selections: there is no content type or component "api::nope.nope"'],
  ['an unknown attribute', { 'api::tag.tag': { card: { fields: ['nope'] } } }, 'selections: "api::tag.tag": card: Invalid key nope'],
  ['an unknown selection', { 'api::tag.tag': { card: { selection: 'nope' } } }, 'selections: "api::tag.tag": card: Invalid selection nope'],
  [
    'selections that lead back to themselves',
    {
      'api::tag.tag': { card: { populate: { articles: { selection: 'row' } } }, self: { selection: 'self' } },
      'api::article.article': { row: { populate: { tags: { selection: 'card' } } } },
    },
    'selections: these lead back to themselves: api::tag.tag card → api::article.article row → api::tag.tag card',
  ],
])('the start refuses %s', (_, given, problem) => {
  const { config, model } = new SelectingStages('specification', given).magazine;
  const refused = () => checkSelections(config, model);
  expect(refused).toThrow(StartError);
  expect(refused).toThrow(problem);
});

it('the start takes right ones', () => {
  const { config, model } = new SelectingStages('strapi').magazine;
  expect(checkSelections(config, model)).toBeUndefined();
});
