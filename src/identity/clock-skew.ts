/** The clocks of servers that share a database may differ by this much, and what one of them signs
 *  or stores with a time is valid on the others. Seconds. */
export const clockSkew = 60;
