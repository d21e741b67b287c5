/** The keys of the schema files of content types and components. */
import { anyObject, anything, byDefault, checkedByLoader, flag, object, oneOf, strapiOnly, text, texts } from './key.ts';
import { lecternOfSchema, pluginOptionOfSchema } from './lectern-keys.ts';

export const kinds = ['collectionType', 'singleType'] as const;

const common = {
  $schema: text('The JSON Schema of the file, for editors.'),
  attributes: checkedByLoader(anyObject('The attributes by their names. Responses have them in this order.')),
} as const;

/** Keys of Strapi's internal form of a schema. */
const internal = Object.fromEntries(
  [
    'config',
    'modelType',
    'modelName',
    'uid',
    'globalId',
    'apiName',
    'plugin',
    'category',
    'connection',
    'tableName',
    'indexes',
    'foreignKeys',
    'lifecycles',
    '__schema__',
    '__filename__',
  ].map((name) => [name, strapiOnly(anything("A key of Strapi's internal schemas."))]),
);

const displayName = byDefault('the singular name', text('The name for people.'));
const panelInfo = {
  description: text('A description for people. `lectern types` and the OpenAPI document show it.'),
  icon: strapiOnly(text("The icon in Strapi's panel.")),
  name: strapiOnly(text('A former name of `displayName`.')),
  mainField: strapiOnly(text("The attribute that stands for an entry in Strapi's panel.")),
} as const;
const panelOptions = {
  comment: strapiOnly(text('A comment on the table.')),
  increments: strapiOnly(anything('An option of Strapi 3.')),
  timestamps: strapiOnly(anything('An option of Strapi 3.')),
  version: strapiOnly(anything('An option of Strapi.')),
  expirable: strapiOnly(anything('An option of Strapi.')),
  reviewWorkflows: strapiOnly(anything("Whether Strapi's review workflows are on.")),
} as const;
const privateAttributes = texts('Names of further attributes that are `private`; `createdAt` and `updatedAt` may be among them.');

export const contentTypeKeys = {
  kind: checkedByLoader(
    oneOf(
      kinds,
      'collectionType',
      '`collectionType`: any number of documents, at `/api/<pluralName>`. `singleType`: one document, at `/api/<singularName>`.',
    ),
  ),
  collectionName: byDefault('the singular name', text('The table.')),
  info: object(
    {
      singularName: checkedByLoader(text('In kebab-case, the name of the folder. The uid is `api::<folder in src/api>.<singularName>`.')),
      pluralName: checkedByLoader(text('In kebab-case, unique among all types: the path of the API.')),
      displayName,
      ...panelInfo,
    } as const,
    'The names of the type.',
    { required: ['singularName', 'pluralName'] },
  ),
  options: object(
    {
      draftAndPublish: flag(false, 'Whether documents have a draft besides the published entry.'),
      populateCreatorFields: flag(false, 'Whether responses may contain `createdBy` and `updatedBy`.'),
      privateAttributes,
      ...panelOptions,
    } as const,
    'Options of the type.',
    { open: true },
  ),
  lectern: lecternOfSchema,
  pluginOptions: object(
    {
      i18n: object({ localized: flag(false, 'Whether documents have an entry for each locale.') }, ''),
      lectern: pluginOptionOfSchema,
    },
    'Options of plugins. Lectern reads `i18n.localized` and `lectern`.',
    { open: true },
  ),
  ...common,
  ...internal,
} as const;

export const componentKeys = {
  collectionName: checkedByLoader(text('The table. It has to be named.')),
  info: object(
    { displayName: byDefault('the name of the file', text('The name for people.')), ...panelInfo } as const,
    'The name of the component.',
  ),
  options: object({ privateAttributes, ...panelOptions } as const, 'Options of the component.', { open: true }),
  lectern: lecternOfSchema,
  pluginOptions: object({ lectern: pluginOptionOfSchema }, 'Options of plugins. Lectern reads `lectern`.', { open: true }),
  ...common,
  ...internal,
} as const;
