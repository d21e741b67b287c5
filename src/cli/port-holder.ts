/** Which process listens on a TCP port, as far as Linux tells: only root sees the sockets of other users' processes. */
import { readdir, readFile, readlink } from 'node:fs/promises';

export interface PortHolder {
  readonly pid: number;
  readonly command: string;
}

const listening = '0A';

export async function portHolder(port: number): Promise<PortHolder | undefined> {
  const sockets = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'latin1').catch(() => '');
    for (const line of text.split('\n').slice(1)) {
      // `sl local_address rem_address st tx_queue:rx_queue tr:when retrnsmt uid timeout inode` (proc(5)); the port is hexadecimal.
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === listening && Number.parseInt(local.slice(local.indexOf(':') + 1), 16) === port) sockets.add(`socket:[${inode}]`);
    }
  }
  return sockets.size === 0 ? undefined : ownerOf(sockets);
}

async function ownerOf(sockets: ReadonlySet<string>): Promise<PortHolder | undefined> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of processes) {
    const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const targets = await Promise.all(descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
    if (targets.some((target) => sockets.has(target))) return { pid: Number(pid), command: await commandOf(pid) };
  }
  return undefined;
}

/** The program and its first argument: enough to recognise it, and further ones may hold secrets. */
async function commandOf(pid: string): Promise<string> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').filter((word) => word !== '');
  return words.slice(0, 2).join(' ') || 'unknown';
}
