/** Reads the roles and rights of a declaration, a JSON document under version control. */

import type { Attribute, ContentModel } from '../model/content-model.ts';
import { conditionProblem } from '../pipeline/restrict/restriction-filters.ts';
import {
  findGrantableType,
  type GrantableType,
  type GrantableTypes,
  grantableTypesOf,
  namesOf,
  notForRole,
} from '../rights/grantable-actions.ts';
import { hasFields, isRestrictable } from '../rights/rights.ts';
import type { StoredRestriction } from '../rights/role-rights-store.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { orMeant } from '../text/nearest.ts';
import { everyType, rightsToEveryType } from './every-type.ts';
import { expandPreset, isPresetName, type Preset, presetKeys } from './presets.ts';

export interface Declaration {
  /** Roles by their `type`. */
  readonly roles: ReadonlyMap<string, DeclaredRole>;
}

export interface DeclaredRole {
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** The granted rights, by action. */
  readonly rights: ReadonlyMap<string, StoredRestriction>;
  /** The presets that conditions of rights were written as, by action. */
  readonly presets: ReadonlyMap<string, Preset>;
  /** The controllers of plugins that the document names. Rights to others do not change. */
  readonly controllers: ReadonlySet<string>;
}

export type ReadDeclaration =
  | { readonly ok: true; readonly declaration: Declaration }
  /** Each problem has its path: `roles.editor.rights["api::article.article"][0]`. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** The length of the columns. */
const maxLength = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a type is a text without them.
const roleKey = /^[^\u0000-\u001f]{1,255}$/;

export function readDeclaration(document: unknown, model: ContentModel): ReadDeclaration {
  const reader = new DeclarationReader(model);
  const declaration = reader.read(document);
  return reader.problems.length === 0 ? { ok: true, declaration } : { ok: false, problems: reader.problems };
}

/** A restriction, and the preset that a part of it was written as. */
interface DeclaredRestriction extends StoredRestriction {
  readonly preset?: Preset;
}

class DeclarationReader {
  readonly problems: string[] = [];
  readonly #grantableTypes: GrantableTypes;
  readonly #model: ContentModel;

  constructor(model: ContentModel) {
    this.#model = model;
    this.#grantableTypes = grantableTypesOf(model);
  }

  read(document: unknown): Declaration {
    const roles = new Map<string, DeclaredRole>();
    if (isObject(document)) this.#keys(document, '', ['roles']);
    if (!isObject(document) || !isObject(document.roles)) {
      this.#report(isObject(document) ? 'roles' : '', 'has to be an object of roles: {"roles": {"public": {"rights": {…}}}}');
      return { roles };
    }
    for (const [key, role] of Object.entries(document.roles)) {
      const path = `roles${member(key)}`;
      if (!roleKey.test(key)) this.#report(path, `is not the type of a role: text of 1 to ${maxLength} characters`);
      else if (isObject(role)) roles.set(key, this.#role(role, path, key));
      else this.#report(path, 'has to be an object such as {"rights": {"api::article.article": ["find", "findOne"]}}');
    }
    return { roles };
  }

  #role(role: JsonObject, path: string, roleType: string): DeclaredRole {
    const isVisitors = roleType === 'public';
    this.#keys(role, path, ['name', 'description', 'rights']);
    const rights = new Map<string, StoredRestriction>();
    const presets = new Map<string, Preset>();
    const controllers = new Set<string>();
    const writtenKeys = new Map<string, string>();
    if (!isObject(role.rights)) this.#report(`${path}.rights`, 'has to be an object of types with their actions');
    for (const [key, actions] of isObject(role.rights) ? Object.entries(role.rights) : []) {
      if (key === everyType) continue;
      const typePath = `${path}.rights${member(key)}`;
      const grantable = this.#findType(key, typePath);
      if (grantable === undefined) continue;
      const before = writtenKeys.get(grantable.key);
      if (before !== undefined) this.#report(typePath, `is the same as ${before}; write one of them`);
      writtenKeys.set(grantable.key, key);
      if (grantable.type === undefined) controllers.add(grantable.key);
      for (const [action, { preset, ...limit }] of this.#actions(actions, grantable, typePath)) {
        const refused = notForRole(`${grantable.key}.${action}`, roleType);
        if (refused !== undefined) this.#report(`${typePath}: ${action}`, refused);
        rights.set(`${grantable.key}.${action}`, limit);
        if (preset !== undefined) presets.set(`${grantable.key}.${action}`, preset);
        if (isVisitors && preset !== undefined && presetKeys[preset.preset].length > 0) {
          this.#report(`${typePath}${member(action)}.preset`, `visitors have no user, so ${preset.preset} would give them nothing`);
        }
      }
    }
    if (isObject(role.rights) && Object.hasOwn(role.rights, everyType)) {
      const everyPath = `${path}.rights${member(everyType)}`;
      if (isVisitors) this.#report(everyPath, 'would open every type that is added to visitors; name the types');
      for (const { action, limit, preset } of this.#ofEveryType(role.rights[everyType], everyPath, writtenKeys)) {
        rights.set(action, limit);
        if (preset !== undefined) presets.set(action, preset);
      }
    }
    return { name: this.#text(role, 'name', path), description: this.#text(role, 'description', path), rights, presets, controllers };
  }

  /** A type that is named has the rights that stand there, and no others. */
  #ofEveryType(written: unknown, path: string, named: ReadonlyMap<string, string>) {
    const types = [...this.#grantableTypes.values()].filter(({ type, key }) => type !== undefined && !named.has(key));
    return rightsToEveryType(written, { types, model: this.#model, report: (at, problem) => this.#report(path + at, problem) });
  }

  #text(role: JsonObject, key: string, path: string): string | undefined {
    const value = role[key];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.length <= maxLength && !value.includes('\0') && (key !== 'name' || value !== '')) return value;
    this.#report(`${path}.${key}`, `has to be text of at most ${maxLength} characters`);
    return undefined;
  }

  #findType(key: string, path: string): GrantableType | undefined {
    const found = findGrantableType(key, this.#grantableTypes);
    if (found.length === 1) return found[0];
    const problem =
      found.length > 1
        ? `is the name of several types; write one of ${found.map((each) => each.key).join(', ')}`
        : `is neither a content type nor a controller of a plugin${hint(key, namesOf(this.#grantableTypes))}`;
    this.#report(path, problem);
    return undefined;
  }

  #actions(actions: unknown, grantable: GrantableType, path: string): [string, DeclaredRestriction][] {
    if (Array.isArray(actions)) {
      return actions.flatMap((action: unknown, index): [string, DeclaredRestriction][] => {
        const actionPath = `${path}[${index}]`;
        if (typeof action === 'string') return this.#isAction(action, grantable, actionPath) ? [[action, {}]] : [];
        this.#report(actionPath, 'has to be the name of an action');
        return [];
      });
    }
    if (isObject(actions)) {
      return Object.entries(actions).flatMap(([action, value]): [string, DeclaredRestriction][] => {
        const actionPath = `${path}${member(action)}`;
        if (!this.#isAction(action, grantable, actionPath) || value === false) return [];
        return [[action, value === true ? {} : this.#limit(value, action, grantable, actionPath)]];
      });
    }
    this.#report(path, 'has to be a list of actions, or an object such as {"find": true, "update": {"fields": ["title"]}}');
    return [];
  }

  #isAction(action: string, { key, actions }: GrantableType, path: string): boolean {
    if (actions.includes(action)) return true;
    this.#report(path, `${action} is not an action of ${key}; there are ${actions.join(', ')}${hint(action, actions)}`);
    return false;
  }

  #limit(value: unknown, action: string, { restrictable: type, key }: GrantableType, path: string): DeclaredRestriction {
    if (!isObject(value)) {
      this.#report(path, 'has to be true, false, or an object with "fields", "where" or "preset"');
      return {};
    }
    const { fields, where, preset: name } = value;
    this.#keys(value, path, ['fields', 'where', 'preset', ...(isPresetName(name) ? presetKeys[name] : [])]);
    if (type === undefined || !isRestrictable(`${key}.${action}`)) {
      this.#report(path, `${action} of ${key} is not about documents, so it cannot be restricted; write true`);
      return {};
    }
    if (fields === undefined && where === undefined && name === undefined) {
      this.#report(path, 'limits nothing; write true, or say "fields", "where" or "preset"');
    }
    const preset = name === undefined ? undefined : this.#preset(value, path);
    const expanded = preset === undefined ? undefined : expandPreset(preset, { type, action, model: this.#model });
    if (expanded !== undefined && 'problem' in expanded) this.#report(path, expanded.problem);
    const ofPreset = expanded !== undefined && 'where' in expanded ? expanded.where : undefined;
    if (where !== undefined) {
      const problem = isObject(where)
        ? conditionProblem(where, type.uid, this.#model)
        : 'has to be an object such as {"author": {"id": {"$eq": "$user.id"}}}';
      if (problem !== undefined) this.#report(`${path}.where`, problem);
    }
    const isNamed = (attribute: Attribute) => (action === 'create' || action === 'update' ? attribute.writable : !attribute.private);
    const attributes = [...type.attributes.values()].filter(isNamed).map(({ name }) => name);
    return {
      ...(fields === undefined ? {} : { fields: this.#fields(fields, action, attributes, `${path}.fields`) }),
      ...together(ofPreset, isObject(where) ? where : undefined),
      ...(preset === undefined ? {} : { preset }),
    };
  }

  #preset({ preset, attribute, user }: JsonObject, path: string): Preset | undefined {
    if (!isPresetName(preset)) {
      const known = Object.keys(presetKeys);
      const meant = typeof preset === 'string' ? hint(preset, known) : '';
      this.#report(`${path}.preset`, `has to be one of ${known.join(', ')}${meant}`);
      return undefined;
    }
    for (const [key, value] of [['attribute', attribute] as const, ['user', user] as const]) {
      if (value === undefined || typeof value === 'string') continue;
      this.#report(`${path}.${key}`, 'has to be the name of an attribute');
      return undefined;
    }
    return {
      preset,
      ...(typeof attribute === 'string' ? { attribute } : {}),
      ...(typeof user === 'string' ? { user } : {}),
    };
  }

  #fields(fields: unknown, action: string, attributes: readonly string[], path: string): readonly string[] {
    if (!hasFields(`.${action}`)) this.#report(path, `${action} is about whole documents; only "where" can restrict it`);
    if (!Array.isArray(fields) || fields.length === 0) {
      this.#report(path, 'has to be a list of attributes, at least one');
      return [];
    }
    const names: string[] = [];
    for (const [index, field] of fields.entries()) {
      if (typeof field === 'string' && attributes.includes(field)) names.push(field);
      else
        this.#report(
          `${path}[${index}]`,
          `${JSON.stringify(field)} is not an attribute that callers can name${typeof field === 'string' ? hint(field, attributes) : ''}`,
        );
    }
    return [...new Set(names)].sort();
  }

  #keys(object: JsonObject, path: string, known: readonly string[]): void {
    for (const key of Object.keys(object)) {
      if (!known.includes(key)) this.#report(`${path}${path === '' ? key : member(key)}`, `is an unknown key${hint(key, known)}`);
    }
  }

  #report(path: string, problem: string): void {
    this.problems.push(path === '' ? problem : `${path}: ${problem}`);
  }
}

/** Rows have to match the condition of the preset and the one that is written beside it. */
function together(ofPreset: JsonObject | undefined, where: JsonObject | undefined): Pick<StoredRestriction, 'where'> {
  const condition = ofPreset !== undefined && where !== undefined ? { $and: [ofPreset, where] } : (ofPreset ?? where);
  return condition === undefined ? {} : { where: condition };
}

const hint = (word: string, known: readonly string[]) => orMeant(word.slice(0, maxLength), known);

/** `.editor`, or `["api::article.article"]` for other names. */
const member = (key: string) => (/^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, maxLength))}]`);
