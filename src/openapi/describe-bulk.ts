/** The route of a write by filter. */
import type { ContentType } from '../model/content-model.ts';
import { aboutDocument } from './describe-content.ts';
import { type JsonSchema, jsonBody, jsonResponse, list, object } from './document-parts.ts';
import { pluralNameOf } from './names.ts';
import type { DescribedOperation, Toolbox } from './operations.ts';

const text: JsonSchema = { type: 'string' };
const isTrue: JsonSchema = { const: true };
const count: JsonSchema = { type: 'integer' };

export function describeBulk(type: ContentType, { types, queries, config, components }: Toolbox): DescribedOperation {
  const data = types.sent({ type, action: `${type.uid}.update`, kind: 'Update', withLocale: config.policies.localeInBody });
  const expected = {
    ...{ ...count, minimum: 1, maximum: config.limits.bulk },
    description: 'The number of entries that the filter matches and that you may change: 409 if it is another one.',
  };
  const dryRun = { type: 'boolean', description: 'Whether nothing is written: the response has what would be refused.' };
  const instead = type.draftAndPublish ? { publish: isTrue, unpublish: isTrue, delete: isTrue } : { delete: isTrue };
  const { tag } = aboutDocument(type, { operationId: '', summary: '', success: {} });
  return {
    operationId: `patch${pluralNameOf(type)}`,
    tag,
    summary: `Change all entries of ${type.displayName} that a filter matches`,
    description: `All of them or none. Instead of \`data\`, the body may have one of ${Object.keys(instead).join(', ')}, which need their own rights. Not for visitors.`,
    parameters: queries.ofBulk(type),
    body: jsonBody(object({ data, ...instead, expected, dryRun }, ['expected'])),
    success: { 200: jsonResponse('The entries, or in a dry run what would be refused.', components.schema('BulkWrite', bulkSchema)) },
    errors: 'Write',
  };
}

function bulkSchema(): JsonSchema {
  const documentIds = list(text);
  const problem = object({ documentId: text, status: count, code: text, path: list(text), message: text, name: text });
  const checked = object({ count, documentIds, valid: { type: 'boolean' }, errors: list(problem), more: count }, [
    'count',
    'documentIds',
    'valid',
    'errors',
  ]);
  return { anyOf: [object({ data: object({ count, documentIds }), meta: object({}) }), object({ data: checked })] };
}
