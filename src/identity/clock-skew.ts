/** The clocks of servers that share a database may differ by this. What one of them signs or stores
 *  with a time is valid at the others. Seconds. */
export const clockSkew = 60;
