/** The commands that `src/http/rate-limits/redis-counts.ts` uses, and those that the client itself sends when it connects. They stand in for the client's
 *  list of all commands, which cannot be left out of a bundle otherwise: 0.6 MB. */
module.exports = {
  __esModule: true,
  default: {
    AUTH: require('@redis/client/dist/lib/commands/AUTH').default,
    CLIENT_SETNAME: require('@redis/client/dist/lib/commands/CLIENT_SETNAME').default,
    // Small letters make it a method of clients.
    eval: require('@redis/client/dist/lib/commands/EVAL').default,
    READONLY: require('@redis/client/dist/lib/commands/READONLY').default,
  },
};
