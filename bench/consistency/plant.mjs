/** Faults for a consistency test to find: a copy of the built program in which one thing is taken out. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../options.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What is replaced in `dist/`, by the name of the fault and the arrangement. Names of variables differ from build to build. */
const faults = {
  // The rows that stand for locks on the other nodes; the named locks of each node stay.
  'locks galera': [/this\.send\(`INSERT INTO \$\{\w+\} \(id, turn\).*\);/g, ''],
  'locks postgres': [/SELECT pg_advisory_xact_lock\(k\.value\) FROM/g, 'SELECT k.value FROM'],
  'locks workers': [/SELECT pg_advisory_xact_lock\(k\.value\) FROM/g, 'SELECT k.value FROM'],
  // The position that a caller sends.
  'position postgres': [/(?<=\bconst \w+ = \[)\w+\[\w+\](?=, \w+\(\w+\.cookie, )/g, 'undefined'],
};

export const plants = [...new Set(Object.keys(faults).map((name) => name.split(' ')[0]))];

/** @returns {string} the command of a copy of the program with this fault */
export function plantFault(name, on, dir) {
  const fault = faults[`${name} ${on}`];
  if (fault === undefined) throw new UsageError(`--plant ${name} does not go with --on ${on}`);
  const copy = join(dir, 'program');
  mkdirSync(copy);
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const dist = join(copy, 'dist');
  const changed = readdirSync(dist).filter((file) => file.endsWith('.js') && replaceIn(join(dist, file), ...fault));
  if (changed.length === 0)
    throw new Error(`--plant ${name}: the text to take out is not in dist/; bench/consistency/plant.mjs has to be adapted`);
  return join(copy, 'bin/lectern.js');
}

function replaceIn(file, pattern, replacement) {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(pattern, replacement);
  if (changed === text) return false;
  writeFileSync(file, changed);
  return true;
}
