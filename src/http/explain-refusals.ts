/** In development, a 401 or 403 says which caller sent the request, what is missing, and what would
 *  grant it. */
import type { FastifyRequest } from 'fastify';
import { createRoles } from '../accounts/roles.ts';
import type { Database } from '../dialects/database.ts';
import { ApiError } from '../errors/api-error.ts';
import type { AccessStore } from '../identity/access-store.ts';
import type { Actor } from '../identity/actor.ts';
import { type CredentialsParts, credentialsProblem } from '../identity/credentials-problem.ts';
import type { ContentModel } from '../model/content-model.ts';
import { decidesRights, type FoundDeclaration } from '../permissions/find-declaration.ts';
import { findGrantableType, grantableTypesOf, isGrantableAction, partsOf } from '../rights/grantable-actions.ts';
import { lecternCommand } from '../text/lectern-command.ts';
import { pathOf } from '../text/url-parts.ts';

export interface RefusalParts extends CredentialsParts {
  readonly model: ContentModel;
  readonly database: Database;
  /** The rights that a file of the project declares. */
  readonly declared: FoundDeclaration | undefined;
}

interface Refused {
  readonly request: FastifyRequest;
  /** The right that the route needs. */
  readonly action: string;
  /** Undefined if the caller was not identified. */
  readonly actor: Actor | undefined;
}

/** Returns the error with its hint, which the log gets as well; other errors stay as they are. */
export type ExplainRefusal = (error: unknown, refused: Refused) => Promise<unknown>;

export function createExplainRefusal(parts: RefusalParts): ExplainRefusal {
  return async (error, { request, action, actor }) => {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) return error;
    try {
      const problem = await credentialsProblem(request.headers.authorization, parts);
      const needed = neededRight(error, action);
      const missing =
        needed === undefined || actor === undefined ? undefined : (ownProfile(request) ?? (await missingRight(needed, actor, parts)));
      const hint = [problem, missing].filter((text) => text !== undefined).join('. ');
      if (hint === '') return error;
      request.log.warn(hint);
      return error.hintedBy(hint);
    } catch {
      // The database is away, for instance: the response is about the request.
      return error;
    }
  };
}

/** Without listed attributes, the path is one of `/users/:id`, and the right to it is the one to
 *  change every user. */
const ownProfile = ({ method, url }: FastifyRequest): string | undefined =>
  method === 'PUT' && /\/users\/me\/?$/i.test(pathOf(url))
    ? 'auth.ownFields lists the attributes that users may change in their own profile; it is empty (docs/access.md)'
    : undefined;

/** Undefined if the caller has the rights, and a restriction or the credentials refuse it. */
function neededRight({ code }: ApiError, action: string): string | undefined {
  if (code === 'access.drafts') return `${partsOf(action).typeKey}.findDraft`;
  return code === 'access.forbidden' ? action : undefined;
}

async function missingRight(action: string, actor: Actor, parts: RefusalParts): Promise<string> {
  const needed = `lacks the right ${action}`;
  if (actor.kind === 'token') {
    const id = `The API token with the id ${actor.tokenId}`;
    if (actor.rights.key === 'read-only') return `${id} ${needed}, since it is read-only${another(action, parts)}`;
    return `${id} ${needed}, and a token's rights cannot be changed${another(action, parts)}`;
  }
  const role = actor.kind === 'public' ? 'public' : await roleOf(actor.userId, parts);
  const caller = actor.kind === 'public' ? 'A caller without a token' : `The user with the id ${actor.userId}`;
  if (role === undefined) return `${caller} ${needed}`;
  return `${caller} has the role ${role}, which ${needed}${howToGrant(role, action, parts)}`;
}

async function roleOf(userId: number, { store, database }: { readonly store: AccessStore; readonly database: Database }) {
  const user = await store.user(userId);
  const role = (await createRoles(database).list()).find(({ id }) => id === user?.roleId);
  return typeof role?.type === 'string' ? role.type : undefined;
}

const another = (action: string, { config, isTemporary }: RefusalParts): string =>
  isTemporary
    ? ''
    : `; \`${lecternCommand(`token create --name <name> --type custom --action ${action}`, config.dir)}\` makes one that has it`;

function howToGrant(role: string, action: string, { config, model, declared, isTemporary }: RefusalParts): string {
  const types = grantableTypesOf(model);
  const { typeKey, name } = partsOf(action);
  const grantable = types.get(typeKey);
  if (grantable === undefined || !isGrantableAction(action, types)) return '';
  if (isTemporary) return '; the token that the demo printed at its start has all rights';
  const short = grantable.type?.singularName;
  const type = short !== undefined && findGrantableType(short, types).length === 1 ? short : typeKey;
  if (declared !== undefined && decidesRights(declared, role, grantable))
    return `; ${declared.source} declares the rights of this role: add "${name}" to roles.${role}.rights, under ${JSON.stringify(type)}${role === 'public' ? ', and to roles.authenticated.rights for users who have signed in' : ''}`;
  return `; \`${lecternCommand(`role allow ${shellWord(role)} ${type} ${name}`, config.dir)}\` grants it`;
}

const shellWord = (text: string): string => (/^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
