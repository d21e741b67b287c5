/** Replaces control characters, so that a client's name can neither move a terminal's cursor nor
 *  change the direction of a line. */
export const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '\u{FFFD}');

/** The same for text of several lines, which becomes one. */
export const printableLine = (text: string): string => printable(text.trim().replaceAll(/\s+/g, ' '));

/** JSON in which such characters are escaped. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replaceAll(/(?!\n)\p{C}/gu, (character) =>
    [...Array(character.length).keys()].map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''),
  );
