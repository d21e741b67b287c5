const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `4.2 MB`; thousands, as Strapi counts. */
export function printedBytes(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
}
