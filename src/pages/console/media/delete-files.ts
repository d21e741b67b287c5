/** Asks, with what would be missing afterwards, and deletes. */
import { ask } from '../shell/dialog.tsx';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import { deleteFiles } from './api.ts';
import { type MediaFile, nameOf } from './media-file.ts';
import { countUses } from './usage.tsx';

/** Resolves with whether they are deleted. */
export async function askToDelete(files: readonly MediaFile[]): Promise<boolean> {
  const ids = files.map(({ id }) => id);
  const uses = await countUses(ids);
  const warning =
    uses === undefined
      ? say('media.deleteUsageUnknown')
      : uses === 0
        ? say('media.deleteUnused')
        : say('media.deleteUsed', { count: uses });
  const isSure = await ask({
    title:
      files.length === 1 && files[0] !== undefined
        ? say('media.deleteOne', { name: nameOf(files[0]) })
        : say('media.deleteMany', { count: ids.length }),
    text: `${warning} ${say('media.deleteForGood')}`,
    yes: say('media.delete'),
    isDangerous: true,
  });
  if (!isSure) return false;
  const { failure } = await deleteFiles(ids);
  if (failure !== undefined) notifyFailure(failure);
  else notify({ text: say('media.deleted', { count: ids.length }) });
  return failure === undefined;
}
