/** Calls `look` after the results that have arrived. When the event loop was blocked, timers come
 *  before them, and jobs that have ended would look like jobs that run for as long as the loop was
 *  blocked. */
export const afterArrivals = (look: () => void): void => void setImmediate(look);
