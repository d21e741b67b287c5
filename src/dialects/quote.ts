/** Quotes an identifier, as in standard SQL: `a"b` gives `"a""b"`. */
export const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;

/** Returns a text in a statement: `it's` gives `'it''s'`. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
