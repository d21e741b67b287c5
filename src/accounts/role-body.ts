/** The bodies of `POST` and `PUT /api/users-permissions/roles`. */

import { ApiError } from '../errors/api-error.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { snakeCase } from '../text/snake-case.ts';

export interface RoleBody {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly type?: string;
  /** The enabled actions, without repetition; undefined when the body has no permissions. */
  readonly actions?: readonly string[];
}

/** Characters in the columns. */
const maxLength = 255;
/** More than any project has, and few enough for one request. */
const maxActions = 10_000;

/** `exact` refuses an empty list, which Strapi reads as no permissions. */
export function parseRoleBody(body: unknown, exact: boolean): RoleBody {
  if (body !== undefined && body !== null && !isObject(body)) throw invalid('this must be a `object` type');
  if (!isObject(body) || Object.keys(body).length === 0) throw ApiError.of('role.empty-body');
  const name = text(body, 'name');
  const description = text(body, 'description');
  const type = text(body, 'type');
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    type: type === undefined || type === null || type === '' ? typeOf(name) : type,
    ...(body.permissions === undefined
      ? {}
      : { actions: [...new Set(enabledActions(!exact && isEmptyList(body.permissions) ? {} : body.permissions))] }),
  };
}

/** Serialisers of some languages write an empty object as an empty list. */
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** As in Strapi: `Événements à venir` → `evenements_a_venir`. */
const typeOf = (name: string | null | undefined): string => snakeCase((name ?? '').toLowerCase());

function text(body: JsonObject, key: string): string | null | undefined {
  const value = Object.hasOwn(body, key) ? body[key] : undefined;
  if (value === undefined || value === null) return value;
  if (typeof value !== 'string') throw invalid(`${key} must be a \`string\` type`);
  if (value.length > maxLength) throw invalid(`${key} must be at most ${maxLength} characters`);
  return value;
}

/** Reads a tree like that of `GET`: owner → controllers → controller → action → `{enabled}`. */
function enabledActions(tree: unknown): string[] {
  const actions: string[] = [];
  for (const [owner, controllers] of entriesOf(tree, 'permissions')) {
    const inner = isObject(controllers) ? controllers.controllers : controllers;
    for (const [controller, ofController] of entriesOf(inner, `permissions.${owner}.controllers`)) {
      const path = `permissions.${owner}.controllers.${controller}`;
      for (const [action, state] of entriesOf(ofController, path)) {
        if (!isObject(state)) throw invalid(`${path}.${action} must be a \`object\` type`);
        if (state.enabled !== true) continue;
        const full = `${owner}.${controller}.${action}`;
        if (full.length > maxLength || full.split('.').length !== 3) throw invalid(`${path.slice(0, maxLength)} names no action`);
        actions.push(full);
      }
    }
  }
  if (actions.length > maxActions) throw invalid(`permissions has more than ${maxActions} actions`);
  return actions;
}

function entriesOf(value: unknown, path: string): [string, unknown][] {
  if (value === undefined || value === null) return [];
  if (!isObject(value)) throw invalid(`${path.slice(0, maxLength)} must be a \`object\` type`);
  return Object.entries(value);
}

const invalid = (problem: string) => ApiError.of('role.invalid-body', { problem });
