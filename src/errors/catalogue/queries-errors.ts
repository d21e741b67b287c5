import { type ErrorDefinition, pathSuffix, validation } from './error-definition.ts';

export const queriesErrors = {
  'query.invalid-key': {
    status: 400,
    name: 'ValidationError',
    message: (a: { key: string; at: string | null }) => `Invalid key ${a.key}${pathSuffix(a.at)}`,
  },
  'fields.shape': validation(() => 'Invalid fields parameter. Expected a string or an array of strings'),
  'filter.shape': validation(() => 'The filters parameter must be an object or an array'),
  'filter.object': validation((a: { path: string }) => `${a.path}: expected attributes or operators in brackets`),
  'filter.group': validation((a: { path: string }) => `${a.path}: expected a list, as in ${a.path}[0]`),
  'filter.list': validation((a: { path: string }) => `${a.path}: expected a list of values with the keys 0, 1, … or []`),
  'filter.value': validation((a: { path: string }) => `${a.path}: expected a value`),
  'filter.between': validation((a: { path: string }) => `${a.path}: expected exactly two values`),
  'filter.format': validation((a: { path: string; expected: string }) => `${a.expected} (${a.path})`),
  'filter.operator-place': validation(
    (a: { path: string; operator: string }) =>
      `${a.path}: the operator ${a.operator} cannot be used here; use operators on values inside an attribute, and $and and $or around attributes`,
  ),
  'sort.shape': validation(
    () => 'Invalid sort parameter. Expected a string, an array of strings, a sort object or an array of sort objects',
  ),
  'sort.order': validation(() => 'Invalid order. order can only be one of asc|desc|ASC|DESC'),
  'populate.shape': validation(() => 'Invalid populate parameter. Expected a string, an array of strings, a populate object'),
  'populate.zone': validation(
    (a: { attribute: string; schema: string }) =>
      `Invalid nested populate for ${a.attribute} (${a.schema}). Expected a fragment ("on") or "count"`,
  ),
  'populate.with-pagination': validation(
    () =>
      'populate and pagination cannot be combined: read a page without populate, then its documents with filters[documentId][$in] and populate, or set policies.populateWithPagination',
  ),
  'pagination.mixed': { status: 400, name: 'PaginationError', message: () => 'Cannot use both page & offset pagination in the same query' },
  'pagination.start': validation(
    (a: { name: string; received: string }) => `Invalid parameter at '${a.name}'. Expected integer >= 0, received: ${a.received}`,
  ),
  'pagination.limit': validation(
    (a: { received: string }) => `Invalid parameter at 'limit'. Expected integer >= 1 or -1, received: ${a.received}`,
  ),
  'pagination.page': validation(
    (a: { name: string; received: string }) => `Invalid parameter at '${a.name}'. Expected integer >= 1, received: ${a.received}`,
  ),
  'pagination.with-count': validation(() => 'Invalid withCount parameter. Expected "t","1","true","false","0","f"'),
  'pagination.place': validation(
    () => 'Invalid pagination parameters: use pagination[page] and pagination[pageSize] instead of page and pageSize',
  ),
  'status.value': validation(
    (a: { received: string }) => `Invalid parameter at 'status'. Expected 'published' or 'draft', received: ${a.received}`,
  ),
  'locale.format': validation(() => "Invalid parameter at 'locale'. Locale must be a valid BCP 47 format (e.g. en, en-US, zh-Hans)."),
  'locale.undefined': validation(
    (a: { received: string; defined: readonly string[] }) =>
      `Invalid parameter at 'locale'. ${a.received} is not defined; the locales are ${a.defined.join(', ')} (policies.refuseUndefinedLocale)`,
  ),
  'publication-filter.value': validation(
    (a: { expected: readonly string[] }) => `Invalid value for 'publicationFilter'. Expected one of: ${a.expected.join(', ')}`,
  ),
  'has-published-version.value': validation(() => "Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string."),
  'search.value': validation(() => "Invalid parameter at '_q'. Expected a text"),
  'database.value': validation(() => "A value in the query cannot be compared by the database: out of range or not of the column's type"),
} as const satisfies Record<string, ErrorDefinition>;
