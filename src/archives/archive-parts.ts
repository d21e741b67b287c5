/** The layout of an archive, that of Strapi's `export`: folders of JSON lines, and media files. */
import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

export const lineParts = ['schemas', 'entities', 'links', 'configuration'] as const;
export type LinePart = (typeof lineParts)[number];

/** `entities/entities_00001.jsonl`. */
export const partName = (part: LinePart, index: number): string => `${part}/${part}_${String(index).padStart(5, '0')}.jsonl`;
export const metadataName = 'metadata.json';
export const assetName = (key: string): string => `assets/uploads/${key}`;
export const assetMetadataName = (key: string): string => `assets/metadata/${key}.json`;

/** What `--only` and `--exclude` name; Strapi's names. */
export const archiveGroups = ['content', 'files', 'config'] as const;
export type ArchiveGroup = (typeof archiveGroups)[number];

export interface Link {
  readonly kind: 'relation.basic' | 'relation.circular' | 'relation.morph';
  readonly relation: string;
  readonly left: { readonly type: string; readonly field: string; readonly ref: number; readonly pos?: number | null };
  readonly right: {
    readonly type: string;
    readonly ref: number;
    readonly field?: string | null | undefined;
    readonly pos?: number | null;
  };
}

/** The encryption of Strapi's archives. It is what Strapi reads, not what one would choose: without
 *  a salt, without authentication. */
const algorithm = 'aes-128-ecb';
const derive = promisify<string, string, number, Buffer>(scrypt);

export const archiveCipher = async (key: string) => createCipheriv(algorithm, await derive(key, '', 16), null);
export const archiveDecipher = async (key: string) => createDecipheriv(algorithm, await derive(key, '', 16), null);

/** The archive cannot be imported; nothing has been written. A problem a line. */
export class ArchiveRefused extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ArchiveRefused';
    this.problems = problems;
  }
}
