/** Problems that one response lists. A body of 1 MB can have half a million. */
export const mostProblems = 100;
