/** The environment of the process together with the project's `.env`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { StartError } from '../errors/start-error.ts';
import { isNoFile, messageOf } from '../errors/system-error.ts';

export interface Variable {
  readonly text: string;
  /** For messages: empty, or ` in .env`. */
  readonly origin: string;
}

export type Environment = ReadonlyMap<string, Variable>;

/** Variables of the process override `.env`. An empty variable counts as unset, as in Strapi. */
export function readEnvironment(dir: string, environment: Readonly<Record<string, string | undefined>>): Environment {
  const variables = new Map<string, Variable>();
  const add = (source: Readonly<Record<string, string | undefined>>, origin: string) => {
    for (const [name, value] of Object.entries(source)) {
      const text = value?.trim();
      if (text !== undefined && text !== '' && !isServiceLink(name, text)) variables.set(name, { text, origin });
    }
  };
  add(readDotEnv(dir), ' in .env');
  add(environment, '');
  return variables;
}

/** Kubernetes sets `LECTERN_PORT=tcp://10.0.0.1:1337` beside a service with the name `lectern`. */
const isServiceLink = (name: string, text: string) => name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(text);

function readDotEnv(dir: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync(join(dir, '.env'), 'utf8'));
  } catch (error) {
    if (isNoFile(error)) return {};
    throw new StartError([`.env cannot be read: ${messageOf(error)}`]);
  }
}
