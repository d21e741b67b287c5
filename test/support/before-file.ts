/** Moments within a command that a signal from outside would hardly meet. */
import type { Environment } from './server.ts';

/** Makes a process of Lectern do this work (JavaScript, with `fs` and `pause`) before it opens or makes what has a path with that end. */
export function beforeFile(end: string, work: string): Environment {
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    import { setTimeout as pause } from 'node:timers/promises';
    for (const method of ['open', 'mkdir']) {
      const usual = fs.promises[method];
      fs.promises[method] = async (path, ...more) => {
        if (String(path).endsWith('${end}')) { ${work} }
        return usual(path, ...more);
      };
    }
    syncBuiltinESMExports();
  `;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
}

export const interruptedAt = (end: string): Environment => beforeFile(end, "process.kill(process.pid, 'SIGINT'); await pause(100);");
