/** The query that the page builds, as a value that is never changed. */
import type { DescribedAttribute, DescribedModel, DescribedRoot } from '../../http/site/explore/described-model.ts';

export interface Query {
  readonly uid: string;
  /** Empty for a list. */
  readonly documentId: string;
  readonly node: Node;
  /** As typed: the server says what is wrong with it. */
  readonly page: string;
  readonly pageSize: string;
  readonly status: string;
  readonly locale: string;
  readonly fallback: string;
  readonly search: string;
}

/** What is read of the entries at one path. */
export interface Node {
  /** None: all fields. */
  readonly fields: readonly string[];
  /** `populate=*` */
  readonly populateAll: boolean;
  readonly populate: readonly Populated[];
  /** For a dynamic zone: what is read of single components, by their uids. */
  readonly on: readonly Populated[];
  readonly filters: Group;
  readonly sort: readonly SortTerm[];
}

export interface Populated {
  /** The name of an attribute, or the uid of a component. */
  readonly name: string;
  readonly node: Node;
}

export interface Group {
  readonly kind: 'group';
  readonly id: number;
  readonly join: '$and' | '$or';
  readonly items: readonly (Group | Condition)[];
}

export interface Condition {
  readonly kind: 'condition';
  readonly id: number;
  /** Names of attributes; only the last one may be no relation. */
  readonly path: readonly string[];
  /** `$eq` */
  readonly operator: string;
  /** Several values are separated by commas. */
  readonly value: string;
}

export interface SortTerm {
  readonly id: number;
  readonly path: readonly string[];
  readonly direction: 'asc' | 'desc';
}

let made = 0;
/** Tells the rows of a list apart when they are moved. */
export const newId = (): number => {
  made++;
  return made;
};

export const emptyGroup = (join: Group['join'] = '$and'): Group => ({ kind: 'group', id: newId(), join, items: [] });

export const emptyNode = (): Node => ({ fields: [], populateAll: false, populate: [], on: [], filters: emptyGroup(), sort: [] });

export const emptyQuery = (uid: string): Query => ({
  uid,
  documentId: '',
  node: emptyNode(),
  page: '',
  pageSize: '',
  status: '',
  locale: '',
  fallback: '',
  search: '',
});

export const rootOf = (model: DescribedModel, uid: string): DescribedRoot | undefined => model.roots.find((root) => root.uid === uid);

/** Whether the query is for a list: not for a single type, and not for one document. */
export const isList = (root: DescribedRoot, query: Query): boolean => !root.isSingle && query.documentId === '';

export const attributesOf = (model: DescribedModel, uid: string | undefined): readonly DescribedAttribute[] =>
  uid !== undefined && Object.hasOwn(model.schemas, uid) ? (model.schemas[uid]?.attributes ?? []) : [];

export const attributeAt = (model: DescribedModel, uid: string | undefined, path: readonly string[]): DescribedAttribute | undefined => {
  let schema = uid;
  let found: DescribedAttribute | undefined;
  for (const name of path) {
    found = attributesOf(model, schema).find((attribute) => attribute.name === name);
    schema = targetOf(found);
  }
  return found;
};

/** The schema that a path can go on into. */
export const targetOf = (attribute: DescribedAttribute | undefined): string | undefined =>
  attribute !== undefined && 'target' in attribute ? attribute.target : undefined;

export const nameOf = (model: DescribedModel, uid: string): string =>
  Object.hasOwn(model.schemas, uid) ? (model.schemas[uid]?.displayName ?? uid) : uid;
