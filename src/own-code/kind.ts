/** Marks what a file exports. A registered symbol, since several copies of the module `lectern` may
 *  be loaded. */
export const kind = Symbol.for('lectern.kind');
