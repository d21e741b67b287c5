/** What a tool is, and what all tools have in common. */
import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../dialects/database.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import type { AnswerRead, AnswerWrite } from '../../../pipeline/call.ts';
import type { Rights } from '../../../rights/rights.ts';
import type { SearchIndexes } from '../../../search/search-index.ts';
import type { Route } from '../../routes/routes.ts';
import type { EndpointCall, EndpointResponse } from '../../send-response.ts';
import type { UploadParts } from '../files/add-upload.ts';

export interface ToolParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly routes: readonly Route[];
  readonly searchIndexes?: SearchIndexes | undefined;
  readonly database: Database;
  readonly answer: AnswerRead;
  readonly answerWrite: AnswerWrite;
  /** Undefined for a project without files. */
  readonly uploads: UploadParts | undefined;
}

export type ToolCall = Pick<EndpointCall, 'actor' | 'caller' | 'dataVersion'>;
/** A response of the API, which becomes the result of the tool. */
export type ToolResponse = Pick<EndpointResponse, 'status' | 'body' | 'headers'>;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly writes: boolean;
  /** Whether a call changes what is there, and does not only add to it. */
  readonly changes?: boolean;
  readonly input: z.ZodObject;
  /** Whether the rights open it to any document at all. */
  isOpen(rights: Rights, parts: ToolParts): boolean;
  run(given: unknown, call: ToolCall, parts: ToolParts): ToolResponse | Promise<ToolResponse>;
}

/** Gives `run` the type of the arguments. */
export const tool = <Input extends z.ZodObject>(
  definition: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input;
    readonly run: (given: z.infer<Input>, call: ToolCall, parts: ToolParts) => ToolResponse | Promise<ToolResponse>;
  },
): Tool => ({ ...definition, run: (given, call, parts) => definition.run(definition.input.parse(given), call, parts) });

const shortText = z.string().max(500);

/** Arguments of several tools. */
export const common = {
  type: shortText.describe('Uid of the content type, such as api::article.article; list_types names them'),
  documentId: shortText.describe('documentId of the document; left out for a single type, which has one document').optional(),
  locale: shortText.describe('Locale of a localized type, such as en; otherwise the default one').optional(),
  fields: z.array(shortText).describe('Names of the attributes to return; otherwise all').optional(),
  populate: z
    .union([shortText, z.array(shortText), z.record(z.string(), z.unknown())])
    .describe(
      'Relations, media and components to return with the documents: "*", names, or an object such as {"author": {"fields": ["name"]}}',
    )
    .optional(),
  read: z.enum(['draft', 'published']).describe('Which version of the documents to read; otherwise the published one').optional(),
  page: z.int().min(1).max(1_000_000).default(1),
  pageSize: z.int().min(1).max(100).default(25),
};
