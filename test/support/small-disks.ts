/** Disks without room: what a system needs for them. Without root. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export const works = (command: string, ...args: readonly string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** A limit on the size of the files that a process writes. */
export const hasFileSizeLimits = works('prlimit', '--pid', String(process.pid));

/** A small file system in a namespace of a process's own. */
export const hasOwnFileSystems =
  existsSync('/proc/self/root') && works('unshare', '-Urm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt');
