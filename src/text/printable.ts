/** Replaces control characters, so that a name chosen by a client can neither move the cursor of a terminal nor change the direction of a line. */
export const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '\u{FFFD}');
