/** The parameters of reads, and of the responses to writes. */
import type { Config } from '../config/config.ts';
import type { Attribute, ContentModel, RelationAttribute, ScalarAttribute, Schema, Uid } from '../model/content-model.ts';
import { valueOperators } from '../pipeline/parse/filters.ts';
import { publicationFilters } from '../pipeline/parse/types.ts';
import type { Components } from './components.ts';
import type { JsonSchema, Parameter, Reference } from './document-types.ts';
import { nameOf } from './names.ts';
import type { Visible } from './visible.ts';

const text: JsonSchema = { type: 'string' };
const brackets = 'OpenAPI describes one level of brackets; this parameter has any number of them.';

export class QuerySchemas {
  readonly #model: ContentModel;
  readonly #config: Pick<Config, 'api' | 'policies' | 'limits'>;
  readonly #components: Components;
  readonly #visible: Visible;

  constructor(model: ContentModel, config: Pick<Config, 'api' | 'policies' | 'limits'>, components: Components, visible: Visible) {
    this.#model = model;
    this.#config = config;
    this.#components = components;
    this.#visible = visible;
  }

  /** `fields` and `populate`, which every response with documents has; the other parameters of the type follow its options. */
  ofDocument(schema: Schema): readonly Reference[] {
    const { localized, draftAndPublish } = schema.kind === 'component' ? { localized: false, draftAndPublish: false } : schema;
    return [
      this.#fields(schema),
      ...this.#populate(schema),
      ...(localized ? [this.#locale()] : []),
      ...(draftAndPublish ? [this.#status()] : []),
    ];
  }

  ofList(schema: Schema): readonly Reference[] {
    const drafts = schema.kind !== 'component' && schema.draftAndPublish;
    return [
      ...this.ofDocument(schema),
      this.filters(schema),
      this.#sort(schema),
      this.#pagination(),
      this.#search(),
      ...(drafts ? [this.#publicationFilter()] : []),
    ];
  }

  /** `start` and `limit` of lists without an envelope: users and files. */
  ofBareList(schema: Schema): readonly (Reference | Parameter)[] {
    return [
      this.#fields(schema),
      ...this.#populate(schema),
      this.filters(schema),
      this.#sort(schema),
      { name: 'start', in: 'query', description: 'Entries to skip.', schema: { type: 'integer', minimum: 0 } },
      { name: 'limit', in: 'query', description: 'Most entries.', schema: { type: 'integer' } },
    ];
  }

  ofBareDocument = (schema: Schema): readonly Reference[] => [this.#fields(schema), ...this.#populate(schema)];

  filters(schema: Schema): Reference {
    return this.#components.parameter(
      `${nameOf(schema)}Filters`,
      () => ({
        name: 'filters',
        in: 'query',
        style: 'deepObject',
        explode: true,
        description: `Which entries: attributes, operators and values in brackets, such as \`filters[${this.#example(schema)}][$eq]=…\`, \`filters[$or][0][id][$gt]=1&filters[$or][1][id][$in][0]=1\`, and through relations \`filters[<relation>][<attribute>][$contains]=…\`. ${brackets}`,
        schema: this.#filterObject(schema),
      }),
      `${schema.uid} filters`,
    );
  }

  #fields(schema: Schema): Reference {
    return this.#components.parameter(
      `${nameOf(schema)}Fields`,
      () => ({
        name: 'fields',
        in: 'query',
        style: 'form',
        explode: true,
        description: `Values in the response, besides id and documentId: \`fields=${this.#example(schema)}\`, \`fields[0]=…&fields[1]=…\`. Without it, all.`,
        schema: { type: 'array', items: this.#field(schema) },
      }),
      `${schema.uid} fields`,
    );
  }

  #field(schema: Schema): Reference {
    return this.#components.schema(
      `${nameOf(schema)}Field`,
      () => ({ type: 'string', enum: ['*', ...this.#scalars(schema).map(({ name }) => name)] }),
      `${schema.uid} field`,
    );
  }

  #populate(schema: Schema): readonly Reference[] {
    if (this.#populatable(schema).length === 0) return [];
    const first = this.#populatable(schema)[0]?.name;
    return [
      this.#components.parameter(
        `${nameOf(schema)}Populate`,
        () => ({
          name: 'populate',
          in: 'query',
          style: 'deepObject',
          explode: true,
          description: `Relations, media and components in the response: \`populate=*\`, \`populate=${first}\`, \`populate[0]=${first}\`, \`populate[${first}][fields][0]=id\`. ${brackets} \`populate[${first}][count]=true\` gives the number of entries instead of the entries.`,
          schema: {
            anyOf: [text, { type: 'array', items: text }, this.#populateObject(schema)],
          },
        }),
        `${schema.uid} populate`,
      ),
    ];
  }

  #sort(schema: Schema): Reference {
    return this.#components.parameter(
      `${nameOf(schema)}Sort`,
      () => ({
        name: 'sort',
        in: 'query',
        style: 'form',
        explode: true,
        description: `The order of the entries: \`sort=${this.#example(schema)}:desc\`, \`sort[0]=…&sort[1]=…\`, and through relations \`sort=<relation>.<attribute>\`.`,
        schema: { type: 'array', items: text },
      }),
      `${schema.uid} sort`,
    );
  }

  #pagination(): Reference {
    const { api, policies } = this.#config;
    return this.#components.parameter('Pagination', () => {
      const rule = policies.populateWithPagination ? '' : ' Not together with populate (policies.populateWithPagination).';
      const size: JsonSchema = {
        type: 'integer',
        minimum: 1,
        description: `${api.defaultLimit === 'none' ? 'All' : api.defaultLimit} if left out${api.maxLimit === 'none' ? '' : `, at most ${api.maxLimit}`}.`,
      };
      return {
        name: 'pagination',
        in: 'query',
        style: 'deepObject',
        explode: true,
        description: `The page: \`pagination[page]=2&pagination[pageSize]=10\`, or \`pagination[start]=10&pagination[limit]=10\`.${rule}`,
        schema: {
          type: 'object',
          properties: {
            page: { type: 'integer', minimum: 1 },
            pageSize: size,
            start: { type: 'integer', minimum: 0 },
            limit: size,
            withCount: { type: 'boolean', description: `Whether the entries are counted; ${api.withCount} if left out.` },
          },
        },
      };
    });
  }

  #locale = (): Reference =>
    this.#components.parameter('Locale', () => ({
      name: 'locale',
      in: 'query',
      description: 'Code of a locale; the default locale if left out. Lists take `*` for all of them.',
      schema: text,
    }));

  #status(): Reference {
    const { draftsNeedRight } = this.#config.policies;
    return this.#components.parameter('Status', () => ({
      name: 'status',
      in: 'query',
      description: `The version: \`published\` if left out.${draftsNeedRight ? ' Reading drafts needs the right findDraft.' : ''}`,
      schema: { type: 'string', enum: ['draft', 'published'] },
    }));
  }

  #publicationFilter = (): Reference =>
    this.#components.parameter('PublicationFilter', () => ({
      name: 'publicationFilter',
      in: 'query',
      description: 'Which documents, by how their draft and their published version differ.',
      schema: { type: 'string', enum: publicationFilters },
    }));

  #search = (): Reference =>
    this.#components.parameter('Search', () => ({
      name: '_q',
      in: 'query',
      description: 'Text that one of the attributes contains.',
      schema: { type: 'string', maxLength: this.#config.limits.patternBytes },
    }));

  #scalars = (schema: Schema): readonly ScalarAttribute[] =>
    this.#visible.attributes(schema).filter((attribute): attribute is ScalarAttribute => attribute.kind === 'scalar');

  #populatable = (schema: Schema): readonly Exclude<Attribute, ScalarAttribute>[] =>
    this.#visible.attributes(schema).filter((attribute): attribute is Exclude<Attribute, ScalarAttribute> => attribute.kind !== 'scalar');

  /** A name for examples. */
  #example(schema: Schema): string {
    return this.#scalars(schema).find(({ system }) => !system)?.name ?? 'id';
  }

  #filterObject(schema: Schema): Reference {
    return this.#components.schema(
      `${nameOf(schema)}FilterObject`,
      () => {
        const self = this.#filterObject(schema);
        const properties = this.#visible.attributes(schema).flatMap((attribute) => {
          const filter = this.#filterOf(attribute);
          return filter === undefined ? [] : [[attribute.name, filter] as const];
        });
        const group: JsonSchema = { type: 'array', items: self };
        return { type: 'object', properties: { $and: group, $or: group, $not: self, ...Object.fromEntries(properties) } };
      },
      `${schema.uid} filter object`,
    );
  }

  #filterOf(attribute: Attribute): JsonSchema | undefined {
    if (attribute.kind === 'scalar') return this.#valueFilter(attribute);
    if (attribute.kind === 'dynamiczone') return undefined;
    const target = this.#targetOf(attribute);
    return target === undefined ? undefined : this.#filterObject(target);
  }

  #targetOf(attribute: Exclude<Attribute, ScalarAttribute>): Schema | undefined {
    if (attribute.kind === 'dynamiczone') return undefined;
    return attribute.kind === 'component' ? this.#model.components.get(attribute.component) : this.#type(attribute.target);
  }

  #type = (uid: Uid | undefined): Schema | undefined => (uid === undefined ? undefined : this.#model.contentTypes.get(uid));

  #valueFilter({ type }: ScalarAttribute): Reference {
    const isNumber = ['integer', 'float', 'decimal'].includes(type);
    const [name, value] = isNumber
      ? ['NumberFilter', { type: 'number' }]
      : type === 'boolean'
        ? ['BooleanFilter', { type: 'boolean' }]
        : ['TextFilter', text];
    return this.#components.schema(name as string, () => valueFilter(value as JsonSchema));
  }

  #populateObject(schema: Schema): Reference {
    return this.#components.schema(
      `${nameOf(schema)}PopulateObject`,
      () => ({
        type: 'object',
        properties: Object.fromEntries(this.#populatable(schema).map((attribute) => [attribute.name, this.#populateValue(attribute)])),
      }),
      `${schema.uid} populate object`,
    );
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
    return { anyOf: [everything, { type: 'object', properties: { on: { type: 'object', properties: on } } }] };
  }

  #selection(schema: Schema): Reference {
    return this.#components.schema(
      `${nameOf(schema)}Selection`,
      () => ({
        type: 'object',
        properties: {
          fields: { anyOf: [this.#field(schema), { type: 'array', items: this.#field(schema) }] },
          filters: this.#filterObject(schema),
          sort: { anyOf: [text, { type: 'array', items: text }] },
          ...(this.#populatable(schema).length === 0
            ? {}
            : { populate: { anyOf: [text, { type: 'array', items: text }, this.#populateObject(schema)] } }),
        },
      }),
      `${schema.uid} selection`,
    );
  }
}

const everything: JsonSchema = { enum: [true, '*'] };

const listOperators: ReadonlySet<string> = new Set(['$in', '$notIn', '$between']);
const flagOperators: ReadonlySet<string> = new Set(['$null', '$notNull']);

/** A value, which must be equal, or operators. */
function valueFilter(value: JsonSchema): JsonSchema {
  const operand = (operator: string): JsonSchema =>
    listOperators.has(operator) ? { type: 'array', items: value } : flagOperators.has(operator) ? { type: 'boolean' } : value;
  const properties = Object.fromEntries(valueOperators.map((operator) => [operator, operand(operator)]));
  return { anyOf: [value, { type: 'object', properties: { ...properties, $not: { type: 'object' } } }] };
}
