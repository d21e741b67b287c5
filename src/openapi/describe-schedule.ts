/** The routes of scheduled publications. */
import type { ScheduleRoute } from '../http/routes/routes.ts';
import type { ContentType } from '../model/content-model.ts';
import { aboutDocument } from './describe-content.ts';
import { type JsonSchema, jsonBody, jsonResponse, list, object, queryParameter } from './document-parts.ts';
import { nameOf } from './names.ts';
import type { DescribedOperation, Toolbox } from './operations.ts';

const text = { type: 'string' };
const nullableText = { type: ['string', 'null'] };
const time = { type: ['string', 'null'], format: 'date-time' };

export function describeSchedule(kind: ScheduleRoute, type: ContentType, { components }: Toolbox): DescribedOperation {
  const [name, entry] = [nameOf(type), `an entry of ${type.displayName}`];
  const listed = jsonResponse('The newest first.', components.schema('Schedules', schedulesSchema));
  switch (kind) {
    case 'schedule':
      return {
        ...aboutDocument(type, {
          operationId: `schedule${name}`,
          summary: `Publish or unpublish ${entry} at a time`,
          description: 'With the rights that you have then. Null cancels. Not for visitors.',
          success: { 200: listed },
        }),
        body: jsonBody(object({ data: object({ publishAt: time, unpublishAt: time, ...(type.localized ? { locale: text } : {}) }, []) })),
        errors: 'Write',
      };
    case 'scheduled':
      return aboutDocument(type, {
        operationId: `get${name}Schedule`,
        summary: `List when ${entry} is published and unpublished`,
        description: 'Not for visitors.',
        success: { 200: listed },
      });
    case 'unschedule': {
      const described = aboutDocument(type, {
        operationId: `unschedule${name}`,
        summary: `Cancel what is scheduled for ${entry}`,
        description: 'Not for visitors.',
        success: { 204: { description: 'Done.' } },
      });
      const locale = type.localized ? [queryParameter('locale', 'Otherwise the default one.', text)] : [];
      return { ...described, parameters: [...(described.parameters ?? []), ...locale], errors: 'Write' };
    }
  }
}

export function schedulesSchema(): JsonSchema {
  const scheduled = object(
    {
      id: { type: 'integer' },
      uid: text,
      documentId: { ...nullableText, description: 'Null for single types.' },
      locale: nullableText,
      action: { type: 'string', enum: ['publish', 'unpublish'] },
      at: { type: 'string', format: 'date-time' },
      by: object({ kind: text, id: { type: ['integer', 'null'] } }),
      state: { type: 'string', enum: ['waiting', 'done', 'failed'] },
      problem: { ...text, description: 'Why it failed.' },
    },
    ['id', 'uid', 'documentId', 'locale', 'action', 'at', 'by', 'state'],
  );
  return object({ data: list(scheduled) });
}
