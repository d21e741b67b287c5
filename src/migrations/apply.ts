import type { Connection, Database } from '../dialects/dialect.ts';
import type { MigrationPlan } from './plan.ts';

/** Runs a plan, and `afterwards`, in one transaction: all of it or nothing. */
export async function applyMigration(
  database: Database,
  plan: MigrationPlan,
  afterwards: (connection: Connection) => Promise<void> = async () => undefined,
): Promise<void> {
  await database.write(async (connection) => {
    for (const statement of plan.statements) await connection.query(statement, []);
    await afterwards(connection);
  });
}
