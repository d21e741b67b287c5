/** The rows of leases. */
import type { Rows } from '../sql/rows.ts';
import { sql } from '../sql/sql.ts';
import { leasesTable } from '../tables/system-tables.ts';

export interface LeaseRow {
  readonly holder: string;
  readonly count: number;
}

/** The lease of the process that sends webhooks. */
export const webhooksLease = 'webhooks';

const table = sql.id(leasesTable);

/** Needs the lock of the lease. */
export async function leaseRow(name: string, rows: Rows): Promise<LeaseRow | undefined> {
  const [row] = await rows.run(sql`SELECT holder, ${sql.id('count')} FROM ${table} WHERE name = ${name}`);
  return row === undefined ? undefined : { holder: String(row[0]), count: Number(row[1]) };
}

export async function addLease(name: string, holder: string, rows: Rows): Promise<void> {
  await rows.run(sql`INSERT INTO ${table} (name, holder, ${sql.id('count')}) VALUES (${name}, ${holder}, 1)`);
}

export async function changeLease(name: string, { holder, count }: LeaseRow, rows: Rows): Promise<void> {
  await rows.run(sql`UPDATE ${table} SET holder = ${holder}, ${sql.id('count')} = ${count} WHERE name = ${name}`);
}

export async function removeLease(name: string, holder: string, rows: Rows): Promise<void> {
  await rows.run(sql`DELETE FROM ${table} WHERE name = ${name} AND holder = ${holder}`);
}
