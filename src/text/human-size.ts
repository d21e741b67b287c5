const units = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** A size for messages, rounded as in Strapi: `200 KB` for 200,000 bytes, `2 MB` for 1,500,000. */
export function humanSize(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.floor((String(Math.floor(bytes)).length - 1) / 3);
  return `${Math.round(bytes / 1000 ** power)} ${units[power]}`;
}

/** The size in kilobytes of 1000 bytes with two decimals, as rows of files have it. The steps are
 *  Strapi's: 78,725 bytes are 78.72, and in fewer steps they would be 78.73. */
export const kilobytes = (bytes: number): number => Math.round((bytes / 1000) * 100) / 100;
