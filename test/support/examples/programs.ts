/** The programs that examples call. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../packed.ts';
import { command, run } from '../server.ts';

/** A `curl` that gets an error ends with 22; `npm ci` and `npm install` find everything in place. */
const programs: Readonly<Record<string, string>> = {
  npx: [
    'name=$1; shift; if [[ $name == lectern ]]; then exec lectern "$@"; fi',
    `if [[ -x ${root}node_modules/.bin/$name ]]; then exec ${root}node_modules/.bin/$name "$@"; fi`,
    'echo "npx $name is not run by tests: mark the block" >&2; exit 1',
  ].join('\n'),
  npm: [
    'case "$*" in ci|install|i) exit 0;; "run demo"*) shift 2; [[ $1 == -- ]] && shift; exec lectern demo "$@";; start*) exec lectern start;; esac',
    'echo "npm $* is not run by tests: mark the block" >&2; exit 1',
  ].join('\n'),
  curl: 'exec /usr/bin/env -S PATH=/usr/bin:/bin:/usr/local/bin curl -sS --fail-with-body "$@"',
};

/** Servers, and what reads its standard input, have processes of their own. The others run in this one, which answers with a script. */
const lecternAt = (
  socket: string,
) => `if [[ ! -c /dev/stdin || $1 =~ ^(start|dev|demo)$ ]]; then exec ${process.execPath} ${command} "$@"; fi
eval "$({ printf '%s\\0' "$PWD" $# "$@"; env -0; } | curl --unix-socket ${socket} --data-binary @- http://lectern)"`;
const quoted = (words: string) => `'${words.replaceAll("'", "'\\''")}'`;

/** `path` is for the environment of a shell. */
export async function makePrograms(folder: string): Promise<{ readonly path: string; end(): void }> {
  const bin = join(folder, 'bin');
  const socket = join(folder, 'lectern.sock');
  mkdirSync(bin);
  for (const [name, script] of Object.entries({ ...programs, lectern: lecternAt(socket) }))
    writeFileSync(join(bin, name), `#!/usr/bin/env bash\n${script}\n`, { mode: 0o755 });
  const server = createServer(async (request, response) => {
    const [cwd = '', count, ...words] = (await text(request)).split('\0');
    const env = words.slice(Number(count)).map((pair) => [pair.replace(/=.*/s, ''), pair.replace(/^[^=]*=/, '')]);
    const before = process.cwd();
    process.chdir(cwd);
    const { status, stdout, stderr } = await run(words.slice(0, Number(count)), Object.fromEntries(env));
    process.chdir(before);
    response.end(`printf %s ${quoted(stderr)} >&2; printf %s ${quoted(stdout)}; exit ${status}`);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return { path: `${bin}:${process.env.PATH}`, end: () => void server.close() };
}
