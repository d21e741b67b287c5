import type { Config } from '../config/config.ts';
import type { ContentType } from '../model/content-model.ts';

/** How many former versions of its documents are kept. Users and files have none. */
export const keptVersions = ({ uid, routed }: ContentType, { history }: Pick<Config, 'history'>): number =>
  routed ? (history.types[uid] ?? history.versions) : 0;

/** Whether any are kept, at least of some type. */
export const keepsHistory = ({ versions, types }: Config['history']): boolean =>
  versions > 0 || Object.values(types).some((each) => each > 0);
