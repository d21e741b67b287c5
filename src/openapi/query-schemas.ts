/** The parameters of reads, and of the responses to writes. */
import type { Config } from '../config/config.ts';
import type { Attribute, ContentModel, ContentType, RelationAttribute, ScalarAttribute, Schema } from '../model/content-model.ts';
import { valueOperators } from '../pipeline/parse/filters.ts';
import { groupFunctions, groupLimits, publicationFilters } from '../pipeline/parse/types.ts';
import type { Visible } from '../rights/visible.ts';
import type { Components } from './components.ts';
import { type JsonSchema, list, object, type Parameter, queryParameter, type Reference } from './document-parts.ts';

const text: JsonSchema = { type: 'string' };
const brackets = 'OpenAPI describes one level of brackets; this parameter has any number of them.';

export class QuerySchemas {
  readonly #model: ContentModel;
  readonly #config: Pick<Config, 'api' | 'locales' | 'policies' | 'limits' | 'search' | 'selections'>;
  readonly #components: Components;
  readonly #visible: Visible;

  constructor(
    model: ContentModel,
    config: Pick<Config, 'api' | 'locales' | 'policies' | 'limits' | 'search' | 'selections'>,
    components: Components,
    visible: Visible,
  ) {
    this.#model = model;
    this.#config = config;
    this.#components = components;
    this.#visible = visible;
  }

  /** `fields` and `populate`, and the other parameters that the options of the type have. */
  ofDocument(schema: Schema): readonly Reference[] {
    const { localized, draftAndPublish } = schema.kind === 'component' ? { localized: false, draftAndPublish: false } : schema;
    return [
      this.#fields(schema),
      ...this.#populate(schema),
      ...this.#named(schema),
      ...(localized ? [this.#locale()] : []),
      ...(draftAndPublish ? [this.#status()] : []),
    ];
  }

  /** For a GET of one document. */
  ofRead(schema: Schema): readonly Reference[] {
    const isLocalized = (each: Schema | undefined) => each !== undefined && each.kind !== 'component' && each.localized;
    const hasLocales = isLocalized(schema) || this.#populatable(schema).some((attribute) => isLocalized(this.#targetOf(attribute)));
    return [...this.ofDocument(schema), ...(hasLocales ? [this.#fallback()] : [])];
  }

  ofList(schema: Schema): readonly Reference[] {
    const drafts = schema.kind !== 'component' && schema.draftAndPublish;
    return [
      ...this.ofRead(schema),
      this.filters(schema),
      this.#sort(schema),
      this.#pagination(),
      this.#search(),
      ...(drafts ? [this.#publicationFilter()] : []),
    ];
  }

  /** Which documents a write by filter is for. */
  ofBulk(type: ContentType): readonly Reference[] {
    return [this.filters(type), ...(type.localized ? [this.#locale()] : []), ...(type.draftAndPublish ? [this.#status()] : [])];
  }

  /** The conditions of a list, keys, functions, and the order of the groups. */
  ofGroups(type: ContentType): readonly (Reference | Parameter)[] {
    const shared = (name: string, description: string, schema: JsonSchema, style?: 'form' | 'deepObject') =>
      this.#components.parameter(`Group_${name}`, () => queryParameter(name, description, schema, style));
    const size = { type: 'integer', minimum: 1, maximum: groupLimits.most, description: `${groupLimits.byDefault} if left out.` };
    return [
      shared(
        'groupBy',
        'One or two attributes: values, dates such as `publishedAt:month`, and relations to one entry.',
        list(text),
        'form',
      ),
      shared('count', 'Whether the entries of each group are counted; also without any function.', { type: 'boolean' }),
      ...groupFunctions.map((name) => shared(name, 'Attributes with numbers to compute it of.', list(text), 'form')),
      this.filters(type),
      this.#search(),
      ...(type.localized ? [this.#locale()] : []),
      ...(type.draftAndPublish ? [this.#status(), this.#publicationFilter()] : []),
      shared('sort', 'The largest groups first if left out.', { type: 'string', enum: ['count', '-count', 'key', '-key'] }),
      shared('pagination', 'The most groups: `pagination[limit]=10`.', object({ limit: size }, []), 'deepObject'),
    ];
  }

  /** `start` and `limit` of lists without an envelope: users and files. */
  ofBareList(schema: Schema): readonly (Reference | Parameter)[] {
    return [
      this.#fields(schema),
      ...this.#populate(schema),
      this.filters(schema),
      this.#sort(schema),
      queryParameter('start', 'Entries to skip.', { type: 'integer', minimum: 0 }),
      queryParameter('limit', 'Most entries.', { type: 'integer' }),
    ];
  }

  ofBareDocument = (schema: Schema): readonly Reference[] => [this.#fields(schema), ...this.#populate(schema)];

  filters(schema: Schema): Reference {
    return this.#components.parameterOf(schema, 'Filters', () =>
      queryParameter(
        'filters',
        `Which entries: attributes, operators and values in brackets, such as \`filters[${this.#example(schema)}][$eq]=…\`, \`filters[$or][0][id][$gt]=1&filters[$or][1][id][$in][0]=1\`, and through relations \`filters[<relation>][<attribute>][$contains]=…\`. ${brackets}`,
        this.#isSearched(schema) ? { anyOf: [this.#filterObject(schema), fullText] } : this.#filterObject(schema),
        'deepObject',
      ),
    );
  }

  /** Whether the type has a full-text search. */
  #isSearched({ uid }: Schema): boolean {
    return Object.hasOwn(this.#config.search, uid);
  }

  #fields(schema: Schema): Reference {
    return this.#components.parameterOf(schema, 'Fields', () =>
      queryParameter(
        'fields',
        `Values in the response, besides id and documentId: \`fields=${this.#example(schema)}\`, \`fields[0]=…&fields[1]=…\`. Without it, all.`,
        list(this.#field(schema)),
        'form',
      ),
    );
  }

  #field(schema: Schema): Reference {
    return this.#components.schemaOf(schema, 'Field', () => ({
      type: 'string',
      enum: ['*', ...this.#scalars(schema).map(({ name }) => name)],
    }));
  }

  #populate(schema: Schema): readonly Reference[] {
    const first = this.#populatable(schema)[0]?.name;
    if (first === undefined) return [];
    return [
      this.#components.parameterOf(schema, 'Populate', () =>
        queryParameter(
          'populate',
          `Relations, media and components in the response: \`populate=*\`, \`populate=${first}\`, \`populate[0]=${first}\`, \`populate[${first}][fields][0]=id\`. ${brackets} \`populate[${first}][count]=true\` gives the number of entries instead of the entries.`,
          { anyOf: [text, list(text), this.#populateObject(schema)] },
          'deepObject',
        ),
      ),
    ];
  }

  #named(schema: Schema): readonly Reference[] {
    const [first] = this.#selectionNames(schema);
    if (first === undefined) return [];
    const description = `Fields and population that the server's configuration names: \`selection=${first}\`. Those of the request are added.`;
    return [
      this.#components.parameterOf(schema, 'NamedSelection', () =>
        queryParameter('selection', description, { type: 'string', enum: this.#selectionNames(schema) }),
      ),
    ];
  }

  #selectionNames = ({ uid }: Schema): readonly string[] => Object.keys(this.#config.selections[uid] ?? {});

  #sort(schema: Schema): Reference {
    return this.#components.parameterOf(schema, 'Sort', () =>
      queryParameter(
        'sort',
        `The order of the entries: \`sort=${this.#example(schema)}:desc\`, \`sort[0]=…&sort[1]=…\`, and through relations \`sort=<relation>.<attribute>\`.${this.#isSearched(schema) ? byRank : ''}`,
        list(text),
        'form',
      ),
    );
  }

  #pagination(): Reference {
    const { api, policies } = this.#config;
    const rule = policies.populateWithPagination ? '' : ' Not together with populate (policies.populateWithPagination).';
    const size: JsonSchema = {
      type: 'integer',
      minimum: 1,
      description: `${api.defaultLimit === 'none' ? 'All' : api.defaultLimit} if left out${api.maxLimit === 'none' ? '' : `, at most ${api.maxLimit}`}.`,
    };
    const properties = {
      page: { type: 'integer', minimum: 1 },
      pageSize: size,
      start: { type: 'integer', minimum: 0 },
      limit: size,
      cursor: { type: 'boolean', description: 'Whether the response has the cursor of the next page, instead of a total.' },
      after: { ...text, description: '`meta.pagination.next` of the page before. Besides it, only `limit`.' },
      withCount: {
        enum: [true, false, 'estimate'],
        description: `Whether the entries are counted; ${api.withCount} if left out. \`estimate\`: only up to 10,000.`,
      },
    };
    const description = `The page: \`pagination[page]=2&pagination[pageSize]=10\`, or \`pagination[start]=10&pagination[limit]=10\`.${rule}`;
    return this.#components.parameter('Pagination', () => queryParameter('pagination', description, object(properties, []), 'deepObject'));
  }

  #locale(): Reference {
    const description = 'Code of a locale; the default locale if left out. Lists take `*` for all of them.';
    return this.#components.parameter('Locale', () => queryParameter('locale', description, text));
  }

  #fallback(): Reference {
    const configured = Object.keys(this.#config.locales.fallback).length > 0 ? ' `true`: those of the configuration.' : '';
    const description = `Codes of locales, separated by commas, that stand in for a missing one: \`locale=de&fallback=fr,en\` returns each document and each populated entry in the first of the three that it has, with its \`locale\`.${configured}`;
    return this.#components.parameter('Fallback', () => queryParameter('fallback', description, text));
  }

  #status(): Reference {
    const note = this.#config.policies.draftsNeedRight ? ' Reading drafts needs the right findDraft.' : '';
    const schema: JsonSchema = { type: 'string', enum: ['draft', 'published'] };
    return this.#components.parameter('Status', () => queryParameter('status', `The version: \`published\` if left out.${note}`, schema));
  }

  #publicationFilter(): Reference {
    const description = 'Which documents, by how their draft and their published version differ.';
    const schema: JsonSchema = { type: 'string', enum: publicationFilters };
    return this.#components.parameter('PublicationFilter', () => queryParameter('publicationFilter', description, schema));
  }

  #search(): Reference {
    const schema: JsonSchema = { type: 'string', maxLength: this.#config.limits.patternBytes };
    return this.#components.parameter('Search', () => queryParameter('_q', 'Text that one of the attributes contains.', schema));
  }

  #scalars = (schema: Schema): readonly ScalarAttribute[] =>
    this.#visible.attributes(schema).filter((attribute): attribute is ScalarAttribute => attribute.kind === 'scalar');

  #populatable = (schema: Schema): readonly Exclude<Attribute, ScalarAttribute>[] =>
    this.#visible.attributes(schema).filter((attribute): attribute is Exclude<Attribute, ScalarAttribute> => attribute.kind !== 'scalar');

  /** A name for examples. */
  #example(schema: Schema): string {
    return this.#scalars(schema).find(({ system }) => !system)?.name ?? 'id';
  }

  #filterObject(schema: Schema): Reference {
    return this.#components.schemaOf(schema, 'FilterObject', () => {
      const self = this.#filterObject(schema);
      const properties = this.#visible.attributes(schema).flatMap((attribute) => {
        const filter = this.#filterOf(attribute);
        return filter === undefined ? [] : [[attribute.name, filter] as const];
      });
      return object({ $and: list(self), $or: list(self), $not: self, ...Object.fromEntries(properties) }, []);
    });
  }

  #filterOf(attribute: Attribute): JsonSchema | undefined {
    if (attribute.kind === 'scalar') return this.#valueFilter(attribute);
    const target = this.#targetOf(attribute);
    if (target === undefined) return undefined;
    const related = this.#filterObject(target);
    if (attribute.kind === 'dynamiczone' || attribute.cardinality === 'one') return related;
    return { anyOf: [related, object({ $some: related, $none: related, $every: related }, [])] };
  }

  #targetOf(attribute: Exclude<Attribute, ScalarAttribute>): Schema | undefined {
    if (attribute.kind === 'dynamiczone') return undefined;
    if (attribute.kind === 'component') return this.#model.components.get(attribute.component);
    return attribute.target === undefined ? undefined : this.#model.contentTypes.get(attribute.target);
  }

  #valueFilter({ type }: ScalarAttribute): Reference {
    const isNumber = ['integer', 'float', 'decimal'].includes(type);
    const [name, value]: [string, JsonSchema] = isNumber
      ? ['NumberFilter', { type: 'number' }]
      : type === 'boolean'
        ? ['BooleanFilter', { type: 'boolean' }]
        : ['TextFilter', text];
    return this.#components.schema(name, () => valueFilter(value));
  }

  #populateObject(schema: Schema): Reference {
    return this.#components.schemaOf(schema, 'PopulateObject', () => {
      const values = this.#populatable(schema).map((attribute) => [attribute.name, this.#populateValue(attribute)]);
      return object(Object.fromEntries(values), []);
    });
  }

  #populateValue(attribute: Exclude<Attribute, ScalarAttribute>): JsonSchema {
    if (attribute.kind === 'dynamiczone')
      return this.#fragments(attribute.components.flatMap((uid) => this.#model.components.get(uid) ?? []));
    if (attribute.kind === 'relation' && attribute.target === undefined)
      return this.#fragments(this.#visible.targets(attribute as RelationAttribute));
    const target = this.#targetOf(attribute);
    return target === undefined ? everything : { anyOf: [everything, this.#selection(target)] };
  }

  /** A dynamic zone or a relation to several types has a selection for each of them. */
  #fragments(targets: readonly Schema[]): JsonSchema {
    const on = Object.fromEntries(targets.map((target) => [target.uid, { anyOf: [everything, this.#selection(target)] }]));
    return { anyOf: [everything, object({ on: object(on, []) }, [])] };
  }

  #selection(schema: Schema): Reference {
    return this.#components.schemaOf(schema, 'Selection', () => {
      const isPopulatable = this.#populatable(schema).length > 0;
      const names = this.#selectionNames(schema);
      const selection = {
        fields: { anyOf: [this.#field(schema), list(this.#field(schema))] },
        filters: this.#filterObject(schema),
        sort: { anyOf: [text, list(text)] },
        ...(names.length > 0 ? { selection: { type: 'string', enum: names } } : {}),
        ...(isPopulatable ? { populate: { anyOf: [text, list(text), this.#populateObject(schema)] } } : {}),
      };
      return object(selection, []);
    });
  }
}

const fullText: JsonSchema = {
  ...object({ $search: { ...text, description: 'Words that have to be in the entry; the last one may be the beginning of one.' } }),
  additionalProperties: true,
};

const byRank = ' With a full-text search, `sort=$rank` puts the best entries first.';

const everything: JsonSchema = { enum: [true, '*'] };

const listOperators: ReadonlySet<string> = new Set(['$in', '$notIn', '$between']);
const flagOperators: ReadonlySet<string> = new Set(['$null', '$notNull']);

/** A value, which must be equal, or operators. */
function valueFilter(value: JsonSchema): JsonSchema {
  const operand = (operator: string): JsonSchema =>
    listOperators.has(operator) ? list(value) : flagOperators.has(operator) ? { type: 'boolean' } : value;
  const properties = Object.fromEntries(valueOperators.map((operator) => [operator, operand(operator)]));
  return { anyOf: [value, object({ ...properties, $not: { type: 'object' } }, [])] };
}
