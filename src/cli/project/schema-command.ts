import { jsonSchemaOf } from '../../model/schema-file/json-schema.ts';
import type { SchemaFileKind } from '../../model/schema-file/schema-file-kinds.ts';

/** `lectern schema`: prints the JSON Schema of the schema files of content types or components, for editors. */
export async function schema({ kind }: { readonly kind: SchemaFileKind }): Promise<number> {
  process.stdout.write(`${JSON.stringify(jsonSchemaOf(kind), undefined, 2)}\n`);
  return 0;
}
