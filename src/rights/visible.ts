/** What a caller may see and write of each type, by the rules of reads and writes. */
import type { Config } from '../config/config.ts';
import { fileUid, userUid } from '../model/built-in-types.ts';
import {
  type Attribute,
  type ContentModel,
  type ContentType,
  type RelationAttribute,
  type Schema,
  targetOf,
  type Uid,
} from '../model/content-model.ts';
import { isServed, isVisible, listsUsersOfRole } from '../model/visibility.ts';
import { ReadableTypes } from './readable-types.ts';
import type { Restriction } from './restrictions.ts';
import type { Rights } from './rights.ts';

/** Names of attributes; undefined for all. */
type Fields = ReadonlySet<string> | undefined;

const always: ReadonlySet<string> = new Set(['id', 'documentId']);

const userActions = ['find', 'findOne', 'me'];
const fileActions = ['find', 'findPage', 'findOne'];
/** Rights whose responses show a document to a caller without the right to read it. */
const writeActions = ['create', 'update', 'publish', 'destroy', 'upload'];

/** The attributes of users that only the server sets. */
const setByServer: ReadonlySet<string> = new Set(['resetPasswordToken', 'confirmationToken', 'provider']);

export class Visible {
  readonly #model: ContentModel;
  readonly #rights: Rights;
  readonly #readable: ReadableTypes;
  readonly #fields = new Map<Uid, Fields>();

  constructor(model: ContentModel, { policies }: Pick<Config, 'policies'>, rights: Rights) {
    this.#model = model;
    this.#rights = rights;
    this.#readable = new ReadableTypes(rights, policies, false);
  }

  /** The attributes of responses: what any right of the caller shows of the type. */
  attributes(schema: Schema): readonly Attribute[] {
    const fields = this.#fieldsOf(schema);
    return [...schema.attributes.values()].filter(
      (attribute) =>
        isVisible(attribute) && (always.has(attribute.name) || (fields?.has(attribute.name) ?? true)) && this.#isShown(attribute),
    );
  }

  /** The attributes that a body with this right may have. Private ones are named only where a write
   *  fails without them; passwords are never shown, but set. */
  writable(schema: Schema, action: string | undefined): readonly Attribute[] {
    const fields = action === undefined ? undefined : this.#rights.restriction(action)?.fields;
    return [...schema.attributes.values()].filter((attribute) => {
      if (!attribute.writable || fields?.has(attribute.name) === false) return false;
      if (attribute.kind === 'scalar')
        return !attribute.system && (isVisible(attribute) || attribute.type === 'password' || attribute.required);
      return (isVisible(attribute) || attribute.required) && (attribute.kind !== 'relation' || this.#isLinkable(attribute));
    });
  }

  /** The same for the bodies of users, besides the role, which has a form of its own. */
  writableOfUsers(type: ContentType, action: 'create' | 'update'): readonly Attribute[] {
    return this.writable(type, `${type.uid}.${action}`).filter(({ name }) => name !== 'role' && !setByServer.has(name));
  }

  /** The one type or component that an attribute of `attributes` leads to, unless the API has no
   *  endpoint for it: the accounts of Strapi's panel. */
  target(attribute: Attribute): Schema | undefined {
    const target = targetOf(attribute, this.#model);
    return target?.uid.startsWith('admin::') ? undefined : target;
  }

  /** The types that a polymorphic relation leads to. */
  targets(attribute: Attribute): readonly ContentType[] {
    return [...this.#model.contentTypes.values()].filter((type) => this.#readable.mayRead(attribute, type));
  }

  /** The types that a body may link. */
  linkable(): readonly ContentType[] {
    return [...this.#model.contentTypes.values()].filter((type) => isServed(type) && this.#rights.allows(`${type.uid}.find`));
  }

  #isLinkable({ storage, target }: RelationAttribute): boolean {
    if (storage.kind === 'nowhere') return false;
    return target === undefined ? this.linkable().length > 0 : this.#rights.allows(`${target}.find`);
  }

  #isShown(attribute: Attribute): boolean {
    if (attribute.kind === 'scalar' || attribute.kind === 'component' || attribute.kind === 'dynamiczone') return true;
    if (listsUsersOfRole(attribute)) return false;
    if (attribute.kind === 'relation' && attribute.storage.kind === 'nowhere') return false;
    if (attribute.target === undefined) return this.targets(attribute).length > 0;
    const target = this.#model.contentTypes.get(attribute.target);
    return target !== undefined && this.#readable.mayRead(attribute, target);
  }

  #fieldsOf(schema: Schema): Fields {
    if (schema.kind === 'component') return undefined;
    if (!this.#fields.has(schema.uid)) this.#fields.set(schema.uid, this.#unionOf(schema));
    return this.#fields.get(schema.uid);
  }

  #unionOf(schema: ContentType): Fields {
    const owner = schema.uid === fileUid ? 'plugin::upload.content-api' : schema.uid;
    const reads = schema.uid === fileUid ? fileActions : schema.uid === userUid ? userActions : ['find', 'findOne'];
    const allowed = (names: readonly string[]) => names.map((name) => `${owner}.${name}`).filter((action) => this.#rights.allows(action));
    const readable = allowed(reads);
    const actions = readable.length > 0 ? readable : allowed(writeActions);
    const restrictions: (Restriction | undefined)[] = actions.map((action) => this.#rights.restriction(action));
    // Every document shows its files, whatever the rights to files.
    if (schema.uid === fileUid || actions.length === 0) restrictions.push(this.#readable.restrictionOf(schema));
    const all = new Set<string>();
    for (const restriction of restrictions) {
      if (restriction?.fields === undefined) return undefined;
      for (const name of restriction.fields) all.add(name);
    }
    return all;
  }
}
