/** The table of a probe: one column of each type that a content type can have. */
import { randomBytes } from 'node:crypto';
import { StartError } from '../../errors/start-error.ts';
import { messageOf } from '../../errors/system-error.ts';
import type { StoredType } from '../column-type.ts';
import type { TableDialect } from '../table-dialect.ts';
import type { Run } from './two-connections.ts';

/** A name that no table of a site has, for the probe's table; others begin with it. */
export const probeName = (): string => `lectern_probe_${randomBytes(4).toString('hex')}`;

const types: readonly StoredType[] = ['text', 'integer', 'biginteger', 'float', 'decimal', 'boolean', 'date', 'time', 'datetime'];

interface ProbeTable {
  readonly name: string;
  readonly tables: TableDialect;
  readonly run: Run;
  /** Ends open transactions. */
  readonly reset: () => Promise<void>;
  readonly isRefusal: (error: unknown) => error is Error;
}

/** Creates the table with one row for `work`, and removes it afterwards, also after a failure. */
export async function withProbeTable<T>({ name, tables, run, reset, isRefusal }: ProbeTable, work: () => Promise<T>): Promise<T> {
  let mayExist = true;
  try {
    await run(definitionOf(name, tables)).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      mayExist = false;
      throw new StartError([unmade(error)]);
    });
    await run(`INSERT INTO ${name} (title, data) VALUES ('a', '"a"')`);
    await run('COMMIT');
    return await work();
  } finally {
    if (mayExist) {
      await reset()
        .then(() => run(`DROP TABLE IF EXISTS ${name}`))
        .catch((error: unknown) => {
          throw new StartError([
            `The table ${name}, which was created for the trials, could not be removed: ${messageOf(error)}. Drop it.`,
          ]);
        });
    }
  }
}

const unmade = ({ message }: Error): string =>
  `The user may not create tables, which the first start, migrations and these trials do: ${message}. Give the user this right, or name a user who has it.`;

/** `id`, `title`, `data`, columns of the other types, and a reference to its own rows. */
export const definitionOf = (name: string, tables: TableDialect): string =>
  `CREATE TABLE ${name} (id ${tables.primaryKeyDefinition}, title ${tables.columnDefinition('string')}, data ${tables.columnDefinition('json')},
   ${types.map((type) => `a_${type} ${tables.columnDefinition(type)}`).join(', ')}, parent_id ${tables.columnDefinition('reference')},
   CONSTRAINT ${name}_parent FOREIGN KEY (parent_id) REFERENCES ${name} (id) ON DELETE CASCADE)${tables.tableOptions}`;
