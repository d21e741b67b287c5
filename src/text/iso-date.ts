/** Milliseconds since 1970 to ISO 8601: `0` → `1970-01-01T00:00:00.000Z`. Null stays null. */
export const isoDate = (milliseconds: unknown): string | null =>
  milliseconds === null ? null : new Date(Number(milliseconds)).toISOString();
