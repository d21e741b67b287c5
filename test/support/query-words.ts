/** Names that queries are made of. */

/** The operators that compare a value. */
export const comparisons = [
  ...['$eq', '$eqi', '$ne', '$nei', '$lt', '$lte', '$gt', '$gte', '$in', '$notIn', '$between', '$null', '$notNull'],
  ...['$contains', '$notContains', '$containsi', '$notContainsi', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi'],
];

export const publicationFilters = [
  'never-published',
  'never-published-document',
  'modified',
  'unmodified',
  'has-published-version',
  'has-published-version-document',
  'published-without-draft',
  'published-with-draft',
];
