/** The document as Swagger UI can show it. */
import { withoutCycles } from './without-cycles.ts';

interface Parameter {
  readonly name: string;
  readonly style?: string;
  readonly description?: string;
}

interface Document {
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

export function forSwaggerUi<T extends Document>(document: T): T {
  const { components = {} } = document;
  const parameters = Object.fromEntries(Object.entries(components.parameters ?? {}).map(([key, each]) => [key, asText(each)]));
  return withoutCycles({ ...document, components: { ...components, parameters } });
}

const examples: Readonly<Record<string, string>> = {
  filters: '`{"id": {"$gt": 1}}`',
  populate: '`*`, a name, or `{"<name>": {"fields": ["id"]}}`',
  pagination: '`{"page": 2, "pageSize": 10}`',
};

/** Swagger UI would fill in each object with a value for every key. So it gets a field for text,
 *  whose JSON `withNestedQuery` writes in brackets. */
function asText(parameter: Parameter): Parameter {
  if (parameter.style !== 'deepObject') return parameter;
  const { style: _, ...rest } = parameter;
  const example = examples[parameter.name];
  const note = example === undefined ? '' : `\n\nOn this page: ${example}.`;
  return { ...rest, description: `${parameter.description ?? ''}${note}`, ...{ schema: { type: 'string' } } };
}
