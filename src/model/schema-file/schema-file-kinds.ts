/** The kinds of schema files of a project. */
export const schemaFileKinds = ['content-type', 'component'] as const;
export type SchemaFileKind = (typeof schemaFileKinds)[number];
