/** Third stage: a permitted request becomes a tree of nodes. Locale and status are conditions. */
import type { Policies } from '../../config/config.ts';
import type { Attribute, ContentType, ScalarAttribute, Schema } from '../../model/content-model.ts';
import { isLocalizations } from '../../model/system-attributes.ts';
import { searchOf } from '../../model/visibility.ts';
import type { PermittedRead } from '../authorise/types.ts';
import type { Filter, GroupKey, LocaleChain, Population, Search, Selection, Status } from '../parse/types.ts';
import { type FilterRules, plannedFilter } from './plan-conditions.ts';
import { nestedColumns, rootColumns, shownColumns } from './shown-columns.ts';
import type {
  AttributeOrder,
  Condition,
  LinkedVersion,
  Node,
  Order,
  PlannedKey,
  PlannedLink,
  PlannedRelated,
  PlannedSearch,
  ReadPlan,
} from './types.ts';

/** Makes the tree of nodes that `compile` turns into statements.
 *
 *  `articles?filters[$not][title]=a&locale=fr` gives a root with the conditions
 *  `{kind: 'locales', codes: ['fr']}`, `{kind: 'status', status: 'published'}` and `{kind:
 *  'compare', attribute: title, comparison: {operator: '=', value: 'a'}, negated: true}`. */
export function planRead(request: PermittedRead, policies: Policies): ReadPlan {
  const planner = new Planner(request, policies);
  return {
    type: request.type,
    target: request.target,
    keyedBy: request.keyedBy,
    envelope: request.envelope,
    root: planner.root(),
    pagination: request.pagination,
    cursor: request.cursor,
    estimatesTotal: 'isEstimate' in request.pagination && request.pagination.isEstimate === true && request.mayEstimate,
    grouping: request.grouping && { ...request.grouping, by: request.grouping.by.map((key) => planner.groupKey(key)) },
  };
}

class Planner {
  readonly #request: PermittedRead;
  readonly #policies: Policies;

  constructor(request: PermittedRead, policies: Policies) {
    this.#request = request;
    this.#policies = policies;
  }

  root(): Node {
    const { selection, locale, fallback, search, type, scope, status } = this.#request;
    const own = this.#limits(scope, type, status);
    if (fallback !== undefined && type.localized) own.push(...inFirstLocale(fallback, versionOf(type, status, own)));
    else if (locale.kind === 'codes') own.push({ kind: 'locales', codes: locale.codes });
    const related = this.#related([...own, ...this.#scopes(type, status)]);
    if (related !== undefined) own.push(related);
    if (search !== undefined) own.push(this.#search(search, type));
    if (this.#fullText !== undefined) own.push(this.#fullText);
    const node = this.#node(selection, own, { status, chain: fallback }, rootColumns(selection, this.#policies));
    return related === undefined
      ? node
      : { ...node, order: [{ kind: 'shared', related }, ...(node.order.length > 0 ? node.order : newestFirst(type))] };
  }

  #related(source: readonly Condition[]): PlannedRelated | undefined {
    const { related, type, status } = this.#request;
    if (related === undefined) return undefined;
    const via = related.map(({ attribute, target }) => ({ attribute, target, scope: this.#ifPopulated(target, status) }));
    return { kind: 'related', type, source: { kind: 'and', operands: source }, via };
  }

  /** The condition on targets that would be populated. */
  #ifPopulated(target: Schema, status: Status): Condition | undefined {
    return together([...this.#limitsOf(target, status), ...this.#scopes(target, status)]);
  }

  /** A target that would not be populated counts as missing. */
  groupKey(key: GroupKey): PlannedKey {
    if (key.kind === 'value') return key;
    const { attribute, target } = key.hop;
    const { status } = this.#request;
    const scope = this.#ifPopulated(target, status);
    const order = (of: ScalarAttribute): AttributeOrder => ({
      kind: 'attribute',
      path: [{ attribute, target, scope }],
      attribute: of,
      direction: 'asc',
    });
    const documentId = target.attributes.get('documentId');
    if (documentId?.kind !== 'scalar') throw new Error(`${target.uid} has no documents`);
    return { kind: 'related', name: attribute.name, documentId: order(documentId), title: key.title && order(key.title) };
  }

  /** Makes a node. */
  #node(selection: Selection, own: readonly Condition[], { status, chain }: Versions, columns: readonly ScalarAttribute[]): Node {
    const { schema } = selection;
    const conditions = [...own, ...this.#scopes(schema, status)];
    if (selection.filter !== undefined) conditions.push(plannedFilter(selection.filter, this.#hopRules));
    const order = selection.sort.flatMap((term): Order[] => {
      if (term.kind === 'rank') {
        return this.#fullText === undefined ? [] : [{ kind: 'rank', search: this.#fullText, direction: term.direction }];
      }
      const path = term.hops.map(({ attribute, target }) => ({ attribute, target, scope: this.#hopScope(target) }));
      return [{ kind: 'attribute', path, attribute: term.attribute, direction: term.direction }];
    });
    return {
      schema,
      columns,
      where: { kind: 'and', operands: conditions },
      order,
      links: selection.populate.filter(({ attribute }) => !leadsNowhere(attribute)).map((population) => this.#link(population, chain)),
    };
  }

  /** Makes the node of a populated attribute. */
  #linkedNode(selection: Selection, versions: Versions, columns: readonly ScalarAttribute[]): Node {
    const { schema } = selection;
    const { status, chain } = versions;
    const limits = this.#limitsOf(schema, status);
    if (chain === undefined || schema.kind === 'component' || !schema.localized) return this.#node(selection, limits, versions, columns);
    const linked = versionOf(schema, status, limits);
    return { ...this.#node(selection, [...limits, ...inFirstLocale(chain, linked)], versions, columns), linked };
  }

  #scopes(schema: Schema, status: Status | undefined): Condition[] {
    if (schema.kind === 'component' || !schema.draftAndPublish || status === undefined) return [];
    const scopes: Condition[] = [{ kind: 'status', status }];
    const filter = this.#request.publicationFilter;
    const other = status === 'draft' ? 'published' : 'draft';
    if (filter !== undefined)
      scopes.push({ kind: 'publication', filter, status, type: schema, scope: together(this.#limitsOf(schema, other)) });
    return scopes;
  }

  #link(population: Population, chain: LocaleChain | undefined): PlannedLink {
    const { status: requested, scopeHops } = this.#request;
    if (population.kind !== 'polymorphic') {
      const { selection, attribute, count } = population;
      // `localizations` are the other locales: nothing stands in for them, nor for what they link to.
      const versions = { status: requested, chain: isLocalizations(attribute) ? undefined : chain };
      const node = this.#linkedNode(selection, versions, nestedColumns(population, this.#policies));
      return { kind: count ? 'count' : 'rows', attribute, node };
    }
    // As in Strapi, rows referred to by type and id have either status, unless drafts need a right.
    const branches = new Map(
      [...population.branches].map(([uid, selection]) => {
        const status = scopeHops || population.scoped.has(uid) ? requested : undefined;
        return [uid, this.#linkedNode(selection, { status, chain }, shownColumns(selection))];
      }),
    );
    const { attribute, zone, count } = population;
    return { kind: 'polymorphic', attribute, branches, zone, count };
  }

  /** Returns the condition on rows of a type that filters and sort pass through. */
  #hopScope(target: Schema): Condition | undefined {
    const status = this.#request.scopeHops ? this.#request.status : undefined;
    const scope = status === undefined ? undefined : statusCondition(target, status);
    return together([...(scope === undefined ? [] : [scope]), ...this.#limitsOf(target, status)]);
  }

  get #hopRules(): FilterRules {
    return { scopeOf: (target: Schema) => this.#hopScope(target), letterCase: letterCaseBy(this.#policies) };
  }

  #limitsOf(schema: Schema, status: Status | undefined): Condition[] {
    return this.#limits(this.#request.scopeOf(schema), schema, status);
  }

  #limits(scope: Filter | undefined, schema: Schema, status: Status | undefined): Condition[] {
    return scope === undefined ? [] : [plannedScope(scope, schema, status, this.#policies)];
  }

  get #fullText(): PlannedSearch | undefined {
    const { fullText, searchedColumns } = this.#request;
    return fullText && { kind: 'fullText', ...fullText, columns: searchedColumns };
  }

  /** `_q` searches every visible text column, and number columns when the text is a number. */
  #search({ text, isNumber }: Search, schema: Schema): Condition {
    const { searchable } = this.#request;
    const attributes = [...schema.attributes.values()].filter((attribute): attribute is ScalarAttribute => {
      if (attribute.kind !== 'scalar') return false;
      if (attribute.name === 'id') return true;
      if (searchable !== undefined && !searchable.has(attribute.name)) return false;
      const search = searchOf(attribute);
      return search === 'text' || (search === 'number' && isNumber);
    });
    // Always ignores case: by Unicode in the profile `specification`, otherwise as the engine does.
    return { kind: 'search', attributes, text, letterCase: this.#policies.caseSensitiveLike ? 'folded' : 'nativeFolded' };
  }
}

function newestFirst({ attributes }: ContentType): Order[] {
  const attribute = attributes.get('publishedAt');
  return attribute?.kind === 'scalar' ? [{ kind: 'attribute', path: [], attribute, direction: 'desc' }] : [];
}

/** The versions of documents that a node has. */
interface Versions {
  /** Undefined for rows of both statuses. */
  readonly status: Status | undefined;
  /** Undefined for rows of all locales. */
  readonly chain: LocaleChain | undefined;
}

/** The rows that the caller may see in the requested status. Any other row must decide nothing: it
 *  neither stands in for a locale nor leads to the documents that it is linked with. */
function versionOf(type: ContentType, status: Status | undefined, limits: readonly Condition[]): LinkedVersion {
  const inStatus = status === undefined ? undefined : statusCondition(type, status);
  return {
    where: together([...(inStatus === undefined ? [] : [inStatus]), ...limits]),
    sameStatus: type.draftAndPublish && status === undefined,
  };
}

/** The conditions that a document is in the first locale of the chain that it has. */
function inFirstLocale(chain: LocaleChain, { where, sameStatus }: LinkedVersion): Condition[] {
  const inChain: Condition = { kind: 'locales', codes: chain };
  return chain.length === 1 ? [inChain] : [inChain, { kind: 'fallback', chain, sameStatus, scope: where }];
}

/** Returns the condition of a restriction. Its relations pass through all related rows, whatever
 *  the caller may read of them: rows of the same status as the checked row, or published rows if it
 *  has none, so that callers cannot choose by `status` what a row is compared with. Without
 *  `status`, rows of both statuses are checked, each against rows of its own status. Texts equal
 *  only themselves: whoever may choose a name must not get the rows of `alice` as `ÁLICE`, which
 *  many collations take for the same. */
export function plannedScope(scope: Filter, schema: Schema, status: Status | undefined, policies: Policies): Condition {
  const ofStatus = (each: Status): Condition =>
    plannedFilter(scope, { scopeOf: (target) => statusCondition(target, each), letterCase: letterCaseBy(policies), isExact: true });
  if (schema.kind === 'component' || !schema.draftAndPublish) return ofStatus('published');
  if (status !== undefined) return ofStatus(status);
  const both = (['published', 'draft'] as const).map(
    (each): Condition => ({ kind: 'and', operands: [{ kind: 'status', status: each }, ofStatus(each)] }),
  );
  return { kind: 'or', operands: both };
}

function statusCondition(target: Schema, status: Status): Condition | undefined {
  return target.kind !== 'component' && target.draftAndPublish ? { kind: 'status', status } : undefined;
}

const letterCaseBy =
  ({ caseSensitiveLike }: Policies) =>
  (ignoreCase: boolean) =>
    caseSensitiveLike ? (ignoreCase ? 'folded' : 'sensitive') : ignoreCase ? 'nativeFolded' : 'native';

function together(conditions: readonly Condition[]): Condition | undefined {
  return conditions.length < 2 ? conditions[0] : { kind: 'and', operands: conditions };
}

/** Strapi omits relations without a table from its responses. */
const leadsNowhere = (attribute: Attribute) => attribute.kind === 'relation' && attribute.storage.kind === 'nowhere';
