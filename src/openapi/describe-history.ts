/** The routes of former versions. */
import type { HistoryRoute } from '../http/routes/routes.ts';
import type { ContentType } from '../model/content-model.ts';
import { aboutDocument, pagination } from './describe-content.ts';
import { type JsonSchema, jsonResponse, list, object, type Parameter, pathParameter, queryParameter } from './document-parts.ts';
import { nameOf } from './names.ts';
import type { DescribedOperation, Toolbox } from './operations.ts';

const text = { type: 'string' };
const nullableText = { type: ['string', 'null'] };
const version = pathParameter('version', 'The number of the version.', { type: 'integer' });
const content = { type: 'object', description: 'As a read of the document; relations lead to what they lead to today.' };

export function describeHistory(kind: HistoryRoute, type: ContentType, { components }: Toolbox): DescribedOperation {
  const [name, entry] = [nameOf(type), `an entry of ${type.displayName}`];
  const former = components.schema('FormerVersion', formerVersionSchema);
  const about = (rest: Omit<Parameters<typeof aboutDocument>[1], 'description'>, parameters: readonly Parameter[]): DescribedOperation => {
    const described = aboutDocument(type, { description: 'Not for visitors.', ...rest });
    return { ...described, parameters: [...(described.parameters ?? []), ...parameters] };
  };
  switch (kind) {
    case 'history': {
      const versions = () => object({ data: list(former), meta: object({ pagination: pagination(components) }) });
      return about(
        {
          operationId: `list${name}History`,
          summary: `List the former versions of ${entry}`,
          success: { 200: jsonResponse('The newest first.', components.schema('FormerVersions', versions)) },
        },
        [
          queryParameter('locale', 'Only in this locale.', text),
          queryParameter('status', 'Only drafts, or only published versions.', { type: 'string', enum: ['draft', 'published'] }),
          queryParameter('pagination[page]', 'From 1 on.', { type: 'integer' }),
          queryParameter('pagination[pageSize]', 'Up to 100.', { type: 'integer' }),
        ],
      );
    }
    case 'formerVersion':
      return about(
        {
          operationId: `get${name}FormerVersion`,
          summary: `Read a former version of ${entry}`,
          success: {
            200: jsonResponse(
              'The version.',
              components.schema('FormerContent', () => object({ data: content, meta: former })),
            ),
          },
        },
        [version],
      );
    case 'restore':
      return {
        ...about(
          {
            operationId: `restore${name}Version`,
            summary: `Write a former version of ${entry} into its draft`,
            success: { 200: jsonResponse('The draft.', components.schema('RestoredDocument', restoredSchema)) },
          },
          [version],
        ),
        errors: 'Write',
      };
  }
}

function restoredSchema(): JsonSchema {
  const reason = { type: 'string', enum: ['gone', 'hidden', 'unknown', 'refused'] };
  const leftOut = object({ path: list(text), reason, message: text, documentId: nullableText }, ['path', 'reason']);
  return object({ data: content, meta: object({ restored: object({ version: { type: 'integer' }, leftOut: list(leftOut) }) }) });
}

function formerVersionSchema(): JsonSchema {
  return object({
    version: { type: 'integer' },
    locale: nullableText,
    status: { type: 'string', enum: ['draft', 'published'] },
    writtenAt: { ...nullableText, format: 'date-time' },
    replacedAt: { ...text, format: 'date-time' },
    replacedBy: object({ event: text, kind: text, id: { type: ['integer', 'null'] }, paths: list(text) }),
  });
}
