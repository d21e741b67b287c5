/** Tools that write: each is one operation of a batch, or one upload. */

import { join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { ApiError } from '../../../errors/api-error.ts';
import { isFileName } from '../../../media/library/file-name.ts';
import { inTemporaryFolder } from '../../../media/library/temporary-folder.ts';
import type { WriteAction } from '../../../pipeline/call.ts';
import type { Rights } from '../../../rights/rights.ts';
import { textOfBody } from '../../../text/text-of-body.ts';
import { storePart } from '../../bodies/store-part.ts';
import { handlingOf, type Route } from '../../routes/routes.ts';
import { writeOf } from '../content/batch-endpoint.ts';
import { addUpload } from '../files/add-upload.ts';
import { common, type Tool, type ToolCall, type ToolParts, type ToolResponse, tool } from './tool.ts';

const data = z
  .record(z.string(), z.unknown())
  .describe('Values by attribute, as describe_type names them. A relation is a documentId or a list of them, media the id of a file');
const status = z
  .enum(['draft', 'published'])
  .default('draft')
  .describe('For types with drafts: "published" publishes the document at once, with all of its draft');
const ifMatch = z.string().max(500).describe('Entity tag of the version that the write is for').optional();

const uploadRight = 'plugin::upload.content-api.upload';

const isOpenTo =
  (action: WriteAction) =>
  (rights: Rights, { routes }: ToolParts) =>
    routes.some(
      (route) =>
        route.serves.kind === 'write' && route.serves.action === action && handlingOf(route) === 'served' && rights.allows(route.action),
    );

const isUpload = (route: Route) => route.serves.kind === 'endpoint' && route.serves.endpoint === 'upload' && handlingOf(route) === 'served';

export const writeTools: readonly Tool[] = [
  tool({
    name: 'create',
    title: 'Create a document',
    description: 'Creates a document of a collection type, as a draft where the type has drafts.',
    writes: true,
    input: z.strictObject({ type: common.type, data, status, locale: common.locale }),
    isOpen: isOpenTo('create'),
    run: ({ type, ...operation }, call, parts) => write('create', type, operation, call, parts),
  }),
  tool({
    name: 'update',
    title: 'Change a document',
    description:
      'Changes the attributes of a document that data names, and no others: of its draft where the type has drafts. It also makes the document of a single type that has none yet.',
    writes: true,
    changes: true,
    input: z.strictObject({ type: common.type, documentId: common.documentId, data, status, locale: common.locale, ifMatch }),
    isOpen: isOpenTo('update'),
    run: ({ type, ...operation }, call, parts) => write('update', type, operation, call, parts),
  }),
  tool({
    name: 'publish',
    title: 'Publish a document',
    description: 'Publishes the draft of a document, so that readers see it.',
    writes: true,
    changes: true,
    input: z.strictObject({ type: common.type, documentId: common.documentId, locale: common.locale, ifMatch }),
    isOpen: isOpenTo('publish'),
    run: ({ type, ...operation }, call, parts) => write('publish', type, operation, call, parts),
  }),
  tool({
    name: 'upload',
    title: 'Upload a file',
    description: 'Adds a file to the media library. A document gets it by its id, as the value of a media attribute.',
    writes: true,
    input: z.strictObject({
      name: z.string().min(1).max(255).describe('File name with its extension, such as bread.jpg'),
      content: z.base64().describe('The bytes of the file, as base64'),
      alternativeText: z.string().describe('What an image shows, for those who cannot see it').optional(),
      caption: z.string().optional(),
    }),
    isOpen: (rights, { routes, uploads }) => uploads !== undefined && rights.allows(uploadRight) && routes.some(isUpload),
    run: upload,
  }),
];

function write(
  kind: 'create' | 'update' | 'publish',
  uid: string,
  operation: Readonly<Record<string, unknown>>,
  { actor, caller, dataVersion }: ToolCall,
  parts: ToolParts,
): Promise<ToolResponse> {
  const hasDrafts = parts.model.contentTypes.get(uid)?.draftAndPublish === true;
  const { status: _, ...withoutStatus } = operation;
  const named = Object.entries(hasDrafts ? operation : withoutStatus).filter(([, value]) => value !== undefined);
  const call = writeOf({ ...Object.fromEntries(named), [kind]: uid }, false, { actor }, parts);
  return parts.answerWrite({ ...call, dataVersion }, caller);
}

interface UploadArguments {
  readonly name: string;
  readonly content: string;
  readonly alternativeText?: string | undefined;
  readonly caption?: string | undefined;
}

async function upload(given: UploadArguments, { actor, caller }: ToolCall, { uploads, config, routes }: ToolParts): Promise<ToolResponse> {
  if (!actor.rights.allows(uploadRight)) throw ApiError.of('access.forbidden');
  if (uploads === undefined || !routes.some(isUpload)) throw ApiError.of('document.not-found');
  const { name, content, ...info } = given;
  if (!isFileName(name)) throw ApiError.of('upload.file-name');
  const call = { actor, caller, restriction: actor.rights.restriction(uploadRight) };
  return inTemporaryFolder(config.upload.workDir, async (folder) => {
    const path = join(folder, '0');
    const bytes = Readable.from([Buffer.from(content, 'base64')]);
    const size = await storePart(bytes, { path, name }, config.upload, new AbortController().signal);
    if (size === 0) throw ApiError.of('upload.no-files', {});
    const file = { path, name, declaredType: undefined, size };
    const { body, ...response } = await addUpload(
      { files: [file], fields: new Map([['fileInfo', [JSON.stringify(info)]]]) },
      folder,
      call,
      uploads,
    );
    return response.status >= 400 ? { ...response, body } : { ...response, body: `{"data":${body === null ? null : firstOf(body)}}` };
  });
}

/** The only record of a list, or null where the caller may not read it. */
const firstOf = (body: string | Uint8Array): string => JSON.stringify((JSON.parse(textOfBody(body)) as readonly unknown[])[0] ?? null);
