/** An article of the example as the hand-written servers send it. */

export const articleColumns = `id, document_id, title, slug, summary, body, sidebar, kind, reading_minutes, distance, visited_on, event_at, featured,
  facts, contact_email, created_at, updated_at, published_at, locale`;

const date = (milliseconds) => (milliseconds === null ? null : new Date(milliseconds));
export const json = (text) => (text === null ? null : JSON.parse(text));
export const times = (row) => ({ createdAt: date(row.created_at), updatedAt: date(row.updated_at), publishedAt: date(row.published_at) });

export const article = (row) => ({
  id: row.id,
  documentId: row.document_id,
  title: row.title,
  slug: row.slug,
  summary: row.summary,
  body: row.body,
  sidebar: json(row.sidebar),
  kind: row.kind,
  readingMinutes: row.reading_minutes,
  distance: row.distance,
  visitedOn: row.visited_on,
  eventAt: date(row.event_at),
  featured: row.featured === 1,
  facts: json(row.facts),
  contactEmail: row.contact_email,
  ...times(row),
  locale: row.locale,
});
