/** A response lists at most this many problems: a body of 1 MB can have half a million. */
export const maxProblems = 100;
