/** Folders of the media library, and changes of several files at once. Strapi has them for its panel
 *  alone. Visitors have none of it, whatever the rights of the role `public` are. */
import { ApiError } from '../../../errors/api-error.ts';
import { eventCaller } from '../../../events/document-event.ts';
import type { Actor } from '../../../identity/actor.ts';
import { readDeletion, readFolder, readMove } from '../../../media/library/folder-body.ts';
import type { ListedFolder, MediaFolders } from '../../../media/library/media-folders.ts';
import type { MediaLibrary } from '../../../media/library/media-library.ts';
import type { Restriction } from '../../../rights/restrictions.ts';
import { type Endpoint, type EndpointCall, jsonResponse } from '../../send-response.ts';
import { rowIdParameter } from '../rows.ts';
import type { FileChecks } from './file-checks.ts';

export interface FolderEndpointsParts {
  readonly library: MediaLibrary;
  readonly folders: MediaFolders;
  readonly checks: FileChecks;
}

/** Whether the caller may see and use folders: whoever may upload, but no visitor. */
export const usesFolders = ({ kind, rights }: Actor): boolean => kind !== 'public' && rights.allows('plugin::upload.content-api.upload');

export function folderEndpoints({ library, folders, checks }: FolderEndpointsParts) {
  const listFolders = ofMembers(async ({ actor }) => {
    const all = await folders.list();
    return jsonResponse({ data: all.map((folder) => shown(folder, actor)) });
  });

  const createFolder = ofMembers(async ({ request, actor, restriction }) => {
    refuseRestricted(restriction);
    return { ...jsonResponse({ data: shown(await folders.create(readFolder(request.body)), actor) }), status: 201 };
  });

  const changeFolder = ofMembers(async ({ request, actor, restriction }) => {
    refuseRestricted(restriction);
    const change = readFolder(request.body);
    return jsonResponse({ data: shown(await folders.change(folderId(request), change), actor) });
  });

  const deleteFolder = ofMembers(async ({ request, actor, restriction }) => {
    refuseRestricted(restriction);
    return jsonResponse({ data: shown(await folders.remove(folderId(request)), actor) });
  });

  const moveFiles = ofMembers(async ({ request, actor, restriction }) => {
    const move = readMove(request.body);
    if (move.folders.length > 0) refuseRestricted(restriction);
    await folders.move(move, { caller: eventCaller(actor), ...checks.reachable(move.files, restriction) });
    return jsonResponse({ data: { files: move.files, folders: move.folders } });
  });

  const deleteFiles = ofMembers(async ({ request, actor, restriction }) => {
    const files = readDeletion(request.body);
    const { before } = checks.reachable(files, restriction);
    if (!(await library.remove(files, { caller: eventCaller(actor), before }))) throw ApiError.of('upload.unknown-file');
    return jsonResponse({ data: { files } });
  });

  return { listFolders, createFolder, changeFolder, deleteFolder, moveFiles, deleteFiles };
}

const ofMembers =
  (endpoint: Endpoint): Endpoint =>
  (call) => {
    if (call.actor.kind === 'public') throw ApiError.of('access.forbidden');
    return endpoint(call);
  };

/** A changed folder changes the paths of all files below, also of those outside of a restriction. */
function refuseRestricted(restriction: Restriction | undefined): void {
  if (restriction?.condition !== undefined) throw ApiError.of('access.outside');
}

function folderId(request: EndpointCall['request']): number {
  const id = rowIdParameter(request, 'id');
  if (id === undefined) throw ApiError.of('folder.not-found');
  return id;
}

/** Only callers who may find all files learn how many there are. */
function shown({ pathId: _, path: __, files, createdAt, updatedAt, ...folder }: ListedFolder, { rights }: Actor) {
  const find = 'plugin::upload.content-api.find';
  const mayCount = rights.allows(find) && rights.restriction(find)?.condition === undefined;
  const time = (value: number | null) => (value === null ? null : new Date(value).toISOString());
  return { ...folder, ...(mayCount ? { files } : {}), createdAt: time(createdAt), updatedAt: time(updatedAt) };
}
