/** The webhooks of a project, for commands. */
import { type CheckedWebhooks, checkWebhooks, type WebhookCheckParts } from '../../check-webhooks.ts';
import { type StoredWebhooks, storedWebhooks } from '../../events/webhooks/webhook-store.ts';
import { createLocales } from '../../locales/locales.ts';
import { UnlistedComponents } from '../../pipeline/unlisted-components.ts';
import { rightsTo } from '../../rights/rights.ts';
import { Rows } from '../../sql/rows.ts';
import { columnsByTable } from '../../sql/table-exists.ts';
import { deliveriesTable } from '../../tables/system-tables.ts';
import { rightsIn } from '../project/caller-rights.ts';
import type { OpenProject } from '../project/open-project.ts';

export async function storedIn({ database }: OpenProject): Promise<StoredWebhooks> {
  const tables = await columnsByTable(database);
  return database.read((connection) => storedWebhooks(tables, new Rows(connection, database.dialect)));
}

/** `declaredRoles`: types of roles that the start will create. */
export async function webhookCheckParts(project: OpenProject, declaredRoles: readonly string[] = []): Promise<WebhookCheckParts> {
  const { config, model, database } = project;
  const rightsOf = await rightsIn(project);
  const none = rightsTo([]);
  return {
    config,
    model,
    database,
    locales: createLocales(database, () => undefined),
    unlisted: new UnlistedComponents(model),
    // Checked itself, and no query is refused because of it.
    defaultPopulate: new Map(),
    rightsOf: async (as) => (await rightsOf(as)) ?? (declaredRoles.includes(as) ? none : undefined),
  };
}

/** Finds what the start would find. */
export async function checkProjectWebhooks(project: OpenProject, declaredRoles: readonly string[]): Promise<CheckedWebhooks> {
  const hasTables = (await columnsByTable(project.database)).has(deliveriesTable);
  if (project.config.events.keep === 0 || !hasTables) return { problems: [], warnings: [] };
  return checkWebhooks(await storedIn(project), await webhookCheckParts(project, declaredRoles));
}
