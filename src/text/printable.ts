/** Names of files come from anybody: on a terminal they must neither move the cursor nor turn the direction of the line. */
export const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '\u{FFFD}');
