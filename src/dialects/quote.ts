/** Quotes an identifier, as in standard SQL: `a"b` gives `"a""b"`. */
export const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;
