/** The words of a text: for lists that are long. A backslash is a character. */
export const words = ({ raw }: TemplateStringsArray): readonly string[] => (raw[0] ?? '').trim().split(/\s+/);
