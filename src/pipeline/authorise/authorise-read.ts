/** The second stage: checks every path that a request names, with one rule for all parameters. */

import type { Policies } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { invalidKey, type QueryParameter } from '../../errors/invalid-key.ts';
import type { ScalarAttribute, Schema } from '../../model/content-model.ts';
import { isLocalizations } from '../../model/system-attributes.ts';
import { titleAttribute } from '../../model/title-attribute.ts';
import { isVisible, listsUsersOfRole } from '../../model/visibility.ts';
import { allReadable, includes, type Readable, ReadableTypes } from '../../rights/readable-types.ts';
import type { Restriction } from '../../rights/restrictions.ts';
import type { Rights } from '../../rights/rights.ts';
import type { SearchColumn } from '../../search/search-index.ts';
import type { Filter, FullText, Grouping, GroupKey, Hop, Population, ReadRequest, Selection, SortTerm } from '../parse/types.ts';
import type { PermittedRead } from './types.ts';

export interface AuthoriseParts {
  readonly rights: Rights;
  readonly policies: Policies;
  readonly filterOf: (restriction: Restriction | undefined, schema: Schema) => Filter | undefined;
}

/** Refuses fields, filters and sort on attributes that the caller may not read, removes such
 *  attributes from the selection and the populated paths, and adds the condition on rows that the
 *  caller may see.
 *
 *  Without the right to find tags, `populate=tags` is removed and `sort=tags.name` throws
 *  `query.invalid-key`. With a right to articles that is restricted to `{"featured": true}`,
 *  `scope` is the filter `featured = true`. */
export function authoriseRead(request: ReadRequest, parts: AuthoriseParts): PermittedRead {
  return permittedRead(request, parts, false);
}

/** `own`: a draft that the caller has just written, which needs no right to drafts. */
export function permittedRead(request: ReadRequest, { rights, policies, filterOf }: AuthoriseParts, own: boolean): PermittedRead {
  const { type } = request;
  // A publication filter reveals whether there are drafts.
  const aboutDrafts = policies.draftsNeedRight && (request.status === 'draft' || request.publicationFilter !== undefined);
  if (aboutDrafts && type.draftAndPublish && !own) {
    const action = `${type.uid}.findDraft`;
    if (!rights.allows(action)) throw ApiError.of('access.drafts', { action });
  }
  const reaches = new ReadableTypes(rights, policies, aboutDrafts);
  const restriction = own ? request.restriction : reaches.rootRestriction(request.restriction, type);
  const reach: Readable = { fields: restriction?.fields };
  const parameters = { fields: 'fields', filters: 'filters', sort: 'sort' } as const;
  const scope = filterOf(restriction, type);
  const findDraft = `${type.uid}.findDraft`;
  const readsDrafts =
    !type.draftAndPublish || !policies.draftsNeedRight || (rights.allows(findDraft) && rights.restriction(findDraft) === undefined);
  const hasConditions = request.selection.filter !== undefined || request.search !== undefined;
  const walk = new Walk(reaches, request.isPopulatedByDefault, request.fallback !== undefined);
  // Only this function adds the brand.
  return {
    ...request,
    selection: walk.selection(request.selection, reach, parameters),
    grouping: request.grouping && walk.grouping(request.grouping, reach),
    related: request.related && walk.related(request.related, reach),
    scopeHops: policies.draftsNeedRight,
    scope,
    mayEstimate:
      scope === undefined && request.related === undefined && !looksElsewhere(request.selection.filter) && (readsDrafts || !hasConditions),
    scopeOf: (target: Schema) => filterOf(reaches.restrictionOf(target), target),
    searchable: reach.fields,
    searchedColumns: searchedColumns(request.fullText, reach),
  } as PermittedRead;
}

/** Throws if the caller may filter by none of the attributes, as for a type without such a search. */
function searchedColumns(search: FullText | undefined, reach: Readable): readonly SearchColumn[] {
  if (search === undefined) return [];
  const columns = search.index.columns.filter(({ attribute }) => includes(reach, attribute));
  if (columns.length === 0) throw invalidKey('$search', '$search', 'filters');
  return columns;
}

interface Parameters {
  readonly fields: QueryParameter;
  readonly filters: QueryParameter;
  readonly sort: QueryParameter;
}
const insidePopulate: Parameters = { fields: 'populate', filters: 'populate', sort: 'populate' };

class Walk {
  readonly #reaches: ReadableTypes;
  readonly #isByDefault: boolean;
  readonly #showsLocale: boolean;

  /** `isByDefault`: the caller did not request what is populated. Then what the caller may not read
   *  is left out, as an error would name it. `showsLocale`: entries have their locale, requested or
   *  not. */
  constructor(reaches: ReadableTypes, isByDefault: boolean, showsLocale: boolean) {
    this.#reaches = reaches;
    this.#isByDefault = isByDefault;
    this.#showsLocale = showsLocale;
  }

  selection(selection: Selection, reach: Readable, parameters: Parameters): Selection {
    return shown(this.#permitted(selection, reach, parameters));
  }

  /** What may be named in a filter may be grouped by and computed with. */
  grouping(grouping: Grouping, reach: Readable): Grouping {
    for (const { name, attribute } of grouping.functions)
      this.#sort({ kind: 'attribute', hops: [], attribute, direction: 'asc' }, reach, name);
    return { ...grouping, by: grouping.by.map((key) => this.#groupKey(key, reach)) };
  }

  /** Links count of relations that may be named in a filter. */
  related(via: readonly Hop[], reach: Readable): readonly Hop[] {
    for (const hop of via) this.#hop(hop, reach, 'filters');
    return via;
  }

  #groupKey(key: GroupKey, reach: Readable): GroupKey {
    if (key.kind === 'value') {
      this.#sort({ kind: 'attribute', hops: [], attribute: key.attribute, direction: 'asc' }, reach, 'groupBy');
      return key;
    }
    const there = this.#hop(key.hop, reach, 'groupBy');
    const readable = scalarsOf(key.hop.target).filter((attribute) => !attribute.system && includes(there, attribute.name));
    return { ...key, title: titleAttribute(key.hop.target, readable) };
  }

  #permitted(selection: Selection, reach: Readable, parameters: Parameters): Selection {
    const { schema, filter, populate } = selection;
    if (filter !== undefined) this.#filter(filter, reach, '', parameters.filters);
    const isLenient = this.#isByDefault && parameters === insidePopulate;
    const fields = isLenient ? selection.fields?.filter(({ name }) => includes(reach, name)) : selection.fields;
    const sort = selection.sort.filter((term) => !isLenient || isPermitted(() => this.#sort(term, reach, parameters.sort)));
    for (const term of sort) this.#sort(term, reach, parameters.sort);
    return {
      ...selection,
      sort,
      fields:
        fields === undefined
          ? defaultFields(schema, reach)
          : [...fields.map((field) => namedField(field, reach, parameters.fields)), ...(this.#showsLocale ? localeOf(schema, reach) : [])],
      populate: populate.filter(({ attribute }) => includes(reach, attribute.name)).flatMap((each) => this.#population(each) ?? []),
    };
  }

  /** `path` is the path of the relation that leads here, for messages. */
  #filter(filter: Filter, reach: Readable, path: string, parameter: QueryParameter): void {
    switch (filter.kind) {
      case 'and':
      case 'or':
        for (const operand of filter.operands) this.#filter(operand, reach, path, parameter);
        return;
      case 'not':
        this.#filter(filter.operand, reach, path, parameter);
        return;
      case 'hop':
      case 'quantified':
        this.#filter(filter.filter, this.#hop(filter.hop, reach, parameter), filter.hop.path, parameter);
        return;
      case 'comparison': {
        const { name } = filter.attribute;
        if (!includes(reach, name)) throw invalidKey(name, path === '' ? name : `${path}.${name}`, parameter);
      }
    }
  }

  #sort(term: SortTerm, reach: Readable, parameter: QueryParameter): void {
    if (term.kind === 'rank') return;
    const { hops, attribute } = term;
    let here = reach;
    for (const hop of hops) here = this.#hop(hop, here, parameter);
    const path = [...hops.map((hop) => hop.attribute.name), attribute.name].join('.');
    if (!includes(here, attribute.name)) throw invalidKey(attribute.name, path, parameter);
  }

  /** What the caller may read of a hop's target. Throws if the hop itself may not be read. */
  #hop({ attribute, target, path }: Hop, from: Readable, parameter: QueryParameter): Readable {
    const hidden = !includes(from, attribute.name) || listsUsersOfRole(attribute) || !this.#reaches.mayRead(attribute, target);
    if (hidden) throw invalidKey(attribute.name, path, parameter);
    return this.#reachOf(target);
  }

  #reachOf(target: Schema): Readable {
    return target.kind === 'component' ? allReadable : { fields: this.#reaches.restrictionOf(target)?.fields };
  }

  /** Undefined when the caller may not read the attribute's targets: left out without an error. */
  #population(population: Population): Population | undefined {
    const { attribute } = population;
    const walk = isLocalizations(attribute) ? new Walk(this.#reaches, this.#isByDefault, false) : this;
    const nested = (selection: Selection) => walk.#permitted(selection, this.#reachOf(selection.schema), insidePopulate);
    if (population.kind === 'polymorphic') {
      const branches = new Map(
        [...population.branches]
          .filter(([, selection]) => this.#reaches.mayRead(population.attribute, selection.schema) && this.#mayFilter(selection))
          .map(([uid, selection]) => [uid, nested(selection)]),
      );
      if (branches.size === 0 && population.attribute.kind === 'relation') return undefined;
      for (const selection of branches.values()) refuseBelow(selection, population);
      return { ...population, branches: new Map([...branches].map(([uid, selection]) => [uid, shown(selection)])) };
    }
    if (!this.#reaches.mayRead(population.attribute, population.target) || !this.#mayFilter(population.selection)) return undefined;
    const selection = nested(population.selection);
    refuseBelow(selection, population);
    return population.onTheWay && selection.populate.length === 0 ? undefined : { ...population, selection: shown(selection) };
  }

  /** A filter of the setting is never dropped: that would show what it hides. */
  #mayFilter({ schema, filter }: Selection): boolean {
    if (!this.#isByDefault || filter === undefined) return true;
    return isPermitted(() => this.#filter(filter, this.#reachOf(schema), '', insidePopulate.filters));
  }
}

/** Whether a filter depends on rows of other tables, some of which may be hidden. */
function looksElsewhere(filter: Filter | undefined): boolean {
  switch (filter?.kind) {
    case 'and':
    case 'or':
      return filter.operands.some(looksElsewhere);
    case 'not':
      return looksElsewhere(filter.operand);
    case 'hop':
    case 'quantified':
      return true;
    default:
      return false;
  }
}

function isPermitted(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Removes attributes that are hidden whatever the rights. As in Strapi, an attribute that is only
 *  on the path to one of them is shown. */
const shown = (selection: Selection): Selection => ({
  ...selection,
  populate: selection.populate.filter(({ attribute }) => !listsUsersOfRole(attribute)),
});

function refuseBelow({ endsHere, populate: [below] }: Selection, { attribute: { name } }: Population): void {
  if (endsHere && below !== undefined) throw invalidKey(below.attribute.name, `${name}.${below.attribute.name}`, 'populate');
}

function namedField(field: ScalarAttribute, reach: Readable, parameter: QueryParameter): ScalarAttribute {
  if (!includes(reach, field.name)) throw invalidKey(field.name, field.name, parameter);
  return field;
}

/** Returns the locale of a type with locales, if it may be read. */
const localeOf = (schema: Schema, reach: Readable): ScalarAttribute[] => {
  const locale = schema.attributes.get('locale');
  return schema.kind !== 'component' && schema.localized && locale?.kind === 'scalar' && includes(reach, 'locale') ? [locale] : [];
};

/** Returns the readable fields; undefined for every attribute that is returned by default. */
function defaultFields(schema: Schema, reach: Readable): readonly ScalarAttribute[] | undefined {
  if (reach.fields === undefined) return undefined;
  return scalarsOf(schema).filter(({ name }) => includes(reach, name));
}

const scalarsOf = ({ attributes }: Schema): ScalarAttribute[] =>
  [...attributes.values()].filter((attribute): attribute is ScalarAttribute => attribute.kind === 'scalar' && isVisible(attribute));
