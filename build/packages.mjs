/** Packages that are not bundled. */

/** Dependencies of the published package: those with compiled code, and what only some sites need. */
export const installed = [
  '@opentelemetry/api',
  '@sveltejs/acorn-typescript',
  'acorn',
  'bcrypt',
  'better-sqlite3-napi',
  'jiti',
  'mysql2',
  'nodemailer',
  'prom-client',
  'sharp',
];

/** Packages that are imported where this program never gets (no route has a schema, no request is simulated), or that are optional there. */
export const absent = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
  'pg-native',
  '@node-rs/xxhash',
];
