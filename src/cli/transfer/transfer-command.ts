import { StartError } from '../../errors/start-error.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { loadProject } from '../project/load-project.ts';
import { TransferRefused } from './refused.ts';
import { describeTransfer, transfer } from './transfer.ts';

/** `lectern transfer`: copies a project's SQLite database into an empty PostgreSQL database. */
export async function transferCommand(options: { readonly to: string; readonly from?: string; readonly dir: string }): Promise<number> {
  const { config } = loadProject(options);
  try {
    const result = await transfer({
      from: options.from ?? config.database.filename,
      to: options.to,
      model: await loadProjectModel(config),
    });
    process.stdout.write(`${describeTransfer(result)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof TransferRefused) throw new StartError(error.message.split('\n'));
    throw error;
  }
}
