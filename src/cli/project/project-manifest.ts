/** What a project's own code defines, for commands. */
import type { ContentModel } from '../../model/content-model.ts';
import { readManifest } from '../../own-code/own-code.ts';
import type { Manifest } from '../../own-code/protocol.ts';

/** Loads the files of `lectern/`: only that shows what they define. Throws a `StartError` with all
 *  mistakes in them. */
export function projectManifest(dir: string, model: ContentModel): Promise<Manifest> {
  const print = (_: object, message: string) => void process.stderr.write(`${message}\n`);
  return readManifest(dir, model, { debug: () => undefined, info: print, warn: print, error: print });
}
