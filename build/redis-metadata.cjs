/** Which commands a client may cache, in place of a table of several hundred: caching on the side of the client is off. */
module.exports = { COMMAND_METADATA: {} };
