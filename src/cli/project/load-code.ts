import type { Config } from '../../config/config.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { type Manifest, openOwnCode } from '../../own-code/own-code.ts';

const ignore = () => undefined;
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** What the hooks and endpoints of a project define. Their files are loaded in threads that end again.
 *  Throws a `StartError` with all mistakes. */
export async function loadCode({ dir }: Pick<Config, 'dir'>, model: ContentModel): Promise<Manifest> {
  const code = await openOwnCode(dir, model, silent);
  await code?.close();
  return code?.manifest ?? { hooks: [], endpoints: [] };
}
