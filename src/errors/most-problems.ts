/** Problems that one answer lists. A body of 1 MB has room for half a million; nobody reads more than these. */
export const mostProblems = 100;
