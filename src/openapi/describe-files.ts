/** The endpoints of the media library, and of locales. */
import { fileUid } from '../model/built-in-types.ts';
import type { ContentType } from '../model/content-model.ts';
import { referencesResponse } from './describe-content.ts';
import {
  type JsonSchema,
  jsonBody,
  jsonResponse,
  list,
  object,
  pathParameter,
  queryParameter,
  type RequestBody,
} from './document-parts.ts';
import type { DescribedOperation, Toolbox } from './operations.ts';

const files = { name: 'Upload', description: 'The media library.' };
const locales = { name: 'Locales', description: 'The languages of content.' };

const fileId: JsonSchema = { type: ['integer', 'string'] };
const id = pathParameter('id', 'Id of the file, a number, or its documentId.', fileId);

const folderId = pathParameter('id', 'Id of the folder.', { type: 'integer' });
const inFolder = queryParameter('folder', 'Only files that are directly in this folder; root is the top of the library.', {
  anyOf: [{ type: 'integer' }, { const: 'root' }],
});
const place: JsonSchema = { type: ['integer', 'null'] };
const ids: JsonSchema = { type: 'array', items: { type: 'integer' }, maxItems: 100 };
const folderName: JsonSchema = { type: 'string', minLength: 1, maxLength: 255 };
const data = (schema: JsonSchema) => object({ data: schema });

function folder({ components }: Toolbox): JsonSchema {
  const time: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
  const count: JsonSchema = { type: 'integer', minimum: 0 };
  return components.schema('MediaFolder', () =>
    object(
      {
        id: { type: 'integer' },
        documentId: { type: 'string' },
        name: { type: 'string' },
        parent: { ...place, description: 'Id of the folder that it is in; null at the top of the library.' },
        children: { ...count, description: 'Folders in it.' },
        files: { ...count, description: 'Files in it; left out for callers who may not find all files.' },
        createdAt: time,
        updatedAt: time,
      },
      ['id', 'documentId', 'name', 'parent', 'children', 'createdAt', 'updatedAt'],
    ),
  );
}

type Description = Omit<DescribedOperation, 'operationId' | 'tag' | 'errors'>;

/** The endpoints of files show whether a URL had to be signed, which documents do not. */
function shownFile(type: ContentType, { types, components }: Toolbox): JsonSchema {
  return components.schema('UploadedFile', () => ({
    allOf: [types.shown(type), object({ isUrlSigned: { type: 'boolean', description: 'Whether the URL is valid for a while only.' } }, [])],
  }));
}

export const fileDescriptions = {
  files: (tools: Toolbox) =>
    ofFiles('listFiles', tools, (type, file) => ({
      summary: 'List files',
      parameters: [...tools.queries.ofBareList(type), inFolder],
      success: { 200: jsonResponse('The files, without an envelope.', list(file)) },
    })),
  filesPage: (tools: Toolbox) =>
    ofFiles('listFilesByPage', tools, (type, file) => ({
      summary: 'List files in pages',
      parameters: [...tools.queries.ofList(type), inFolder],
      success: { 200: jsonResponse('A page of files.', object({ data: list(file), meta: { type: 'object' } })) },
    })),
  file: (tools: Toolbox) =>
    ofFiles('getFile', tools, (type, file) => ({
      summary: 'Read a file’s record',
      parameters: [id, ...tools.queries.ofBareDocument(type)],
      success: { 200: jsonResponse('The record.', file) },
    })),
  fileReferences: (tools: Toolbox) =>
    ofFiles('getFileReferences', tools, () => ({
      summary: 'Count the entries that use a file',
      description: 'Not for visitors.',
      parameters: [id],
      success: { 200: referencesResponse(tools.components) },
    })),
  upload: (tools: Toolbox) =>
    ofFiles('uploadFiles', tools, (_, file) => ({
      summary: 'Upload files, or replace one',
      description: 'With `?id=` the bytes, or with JSON the information, of that file are replaced.',
      parameters: [queryParameter('id', 'The file to replace, its id or documentId; without it, new files are added.', fileId)],
      body: uploadBody(tools),
      success: {
        200: jsonResponse('The file that was replaced.', file),
        201: jsonResponse('The new files.', list(file)),
        204: { description: 'The file is replaced, and the caller may not read it.' },
      },
    })),
  deleteFile: (tools: Toolbox) =>
    ofFiles('deleteFile', tools, (_, file) => ({
      summary: 'Delete a file',
      parameters: [id],
      success: {
        200: jsonResponse('The record of the deleted file.', file),
        204: { description: 'The file is deleted, and the caller may not read it.' },
      },
    })),
  listFolders: (tools: Toolbox) =>
    ofFiles('listFolders', tools, () => ({
      summary: 'List folders',
      success: { 200: jsonResponse('All folders, by id.', data(list(folder(tools)))) },
    })),
  createFolder: (tools: Toolbox) =>
    ofFiles('createFolder', tools, () => ({
      summary: 'Create a folder',
      body: jsonBody(object({ name: folderName, parent: place }, ['name'])),
      success: { 201: jsonResponse('The new folder.', data(folder(tools))) },
    })),
  changeFolder: (tools: Toolbox) =>
    ofFiles('changeFolder', tools, () => ({
      summary: 'Rename or move a folder',
      parameters: [folderId],
      body: jsonBody(object({ name: folderName, parent: place }, [])),
      success: { 200: jsonResponse('The changed folder.', data(folder(tools))) },
    })),
  deleteFolder: (tools: Toolbox) =>
    ofFiles('deleteFolder', tools, () => ({
      summary: 'Delete an empty folder',
      parameters: [folderId],
      success: { 200: jsonResponse('The deleted folder.', data(folder(tools))) },
    })),
  moveFiles: (tools: Toolbox) =>
    ofFiles('moveFiles', tools, () => ({
      summary: 'Move files and folders',
      description: 'All or none.',
      body: jsonBody(object({ files: ids, folders: ids, to: place }, ['to'])),
      success: { 200: jsonResponse('What was moved.', data(object({ files: ids, folders: ids }))) },
    })),
  deleteFiles: (tools: Toolbox) =>
    ofFiles('deleteFiles', tools, () => ({
      summary: 'Delete several files',
      description: 'All or none.',
      body: jsonBody(object({ files: ids })),
      success: { 200: jsonResponse('What was deleted.', data(object({ files: ids }))) },
    })),
  locales: (): DescribedOperation => ({
    operationId: 'listLocales',
    tag: locales,
    errors: 'Read',
    summary: 'List the locales of the project',
    success: {
      200: jsonResponse('The locales.', {
        type: 'array',
        items: object({
          id: { type: 'integer' },
          documentId: { type: ['string', 'null'] },
          name: { type: ['string', 'null'] },
          code: { type: 'string' },
          createdAt: { type: ['string', 'null'] },
          updatedAt: { type: ['string', 'null'] },
          publishedAt: { type: ['string', 'null'] },
          isDefault: { type: 'boolean' },
        }),
      }),
    },
  }),
  /** Not served: 501. */
  contentTypeBuilder: () => undefined,
} as const;

function ofFiles(
  operationId: string,
  tools: Toolbox,
  describe: (type: ContentType, file: JsonSchema) => Description,
): DescribedOperation | undefined {
  const type = tools.model.contentTypes.get(fileUid);
  return type === undefined ? undefined : { operationId, tag: files, errors: 'File', ...describe(type, shownFile(type, tools)) };
}

function uploadBody({ config, components }: Toolbox): RequestBody {
  const text: JsonSchema = { type: ['string', 'null'] };
  const percent: JsonSchema = { type: 'number', minimum: 0, maximum: 100 };
  const info = components.schema('FileInfo', () =>
    object(
      {
        ...{ name: text, alternativeText: text, caption: text },
        focalPoint: { anyOf: [object({ x: percent, y: percent }), { type: 'null' }] },
        folder: { ...place, description: 'Id of the folder; null for the top of the library.' },
      },
      [],
    ),
  );
  const { upload } = config;
  const file: JsonSchema = { type: 'string', format: 'binary' };
  return {
    required: true,
    description: `At most ${upload.files} files of ${upload.sizeLimit} bytes each.`,
    content: {
      'multipart/form-data': {
        schema: object(
          {
            files: list(file),
            fileInfo: {
              description: 'Information on the file as JSON; for several files a list, in their order.',
              anyOf: [info, { type: 'array', items: info }],
            },
            ref: { type: 'string', description: 'Uid of the type of the entry that the files are attached to; with refId and field.' },
            refId: { type: 'string', description: 'Row id of that entry, or its documentId.' },
            field: { type: 'string', description: 'Its media attribute.' },
            locale: { type: 'string', description: 'Locale of the version that a documentId means; the default locale if left out.' },
            status: { description: 'Version that a documentId means; the draft if left out.', enum: ['draft', 'published'] },
          },
          [],
        ),
      },
      'application/json': { schema: object({ fileInfo: info }, []) },
    },
  };
}
