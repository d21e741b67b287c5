/** Hosts of a test: network namespaces of Linux on networks of their own, which can be cut as a broken switch or router cuts them: what is sent arrives nowhere,
 *  and neither side is told. */
import { spawnSync } from 'node:child_process';
import { atEnd } from './at-end.ts';

export interface Host {
  /** The command that runs the one after it on this host, for `startProcess`. */
  readonly launcher: readonly string[];
  /** On the network of the clients, which is never cut. */
  readonly address: string;
  /** Until it is healed, nothing passes between this host and a network, in either direction. */
  cut(...networks: readonly string[]): void;
  heal(...networks: readonly string[]): void;
}

export interface Hosts {
  readonly hosts: readonly Host[];
  /** The address of this machine in a network: what hosts are to reach must listen there. */
  addressIn(network: string): string;
  remove(): void;
}

interface Network {
  readonly number: number;
  readonly bridge: string;
}

/** Runs commands of `ip`, each in a line, also those after one that fails. */
function ip(lines: readonly string[]): string | undefined {
  const { status, stderr, error } = spawnSync('ip', ['-force', '-batch', '-'], { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

function must(lines: readonly string[]): void {
  const problem = ip(lines);
  if (problem !== undefined) throw new Error(`ip: ${problem}`);
}

const networkNumbers = 250;
const bridgeOf = (number: number) => `lectern-${number}`;
const portOf = (number: number, index: number) => `lectern-${number}-${index}`;
const address = (number: number, last: number) => `10.213.${number}.${last}`;
const hardware = (number: number, last: number) => `02:00:00:0d:${hex(number)}:${hex(last)}`;
const hex = (number: number) => number.toString(16).padStart(2, '0');
/** The last number in the addresses of this machine and of the hosts. */
const own = 1;
const ofHost = (index: number) => 11 + index;

/** Takes a number that no other run has: a name can be given once. */
function addNetwork(first: number): number {
  for (let number = first; number < networkNumbers; number++)
    if (ip([`link add ${bridgeOf(number)} address ${hardware(number, own)} type bridge`]) === undefined) return number;
  throw new Error('no network can be added');
}

/** Whether this process may make hosts. Says so if not. */
export const hasHosts = (() => {
  const name = `lectern-try-${process.pid}`;
  const problem = process.platform === 'linux' ? (ip([`netns add ${name}`, `netns del ${name}`]) ?? tryLink(name)) : 'not Linux';
  if (problem !== undefined)
    console.log(` NOT tested: servers on several hosts (network namespaces need root and the program ip: ${problem})`);
  return problem === undefined;
})();

function tryLink(name: string): string | undefined {
  const bridge = name.slice(0, 15);
  return ip([`link add ${bridge} type bridge`, `link del ${bridge}`]);
}

/** `count` hosts on the network `clients` and on each of `networks`. */
export function makeHosts(count: number, networks: readonly string[] = []): Hosts {
  const made = new Map<string, Network>();
  const namespaces: string[] = [];
  const remove = () => {
    const networks = [...made.values()];
    // By itself, the system removes what is in a namespace only some time later.
    ip([
      ...networks.flatMap(({ number }) => namespaces.map((_, index) => `link del ${portOf(number, index)}`)),
      ...namespaces.map((name) => `netns del ${name}`),
      ...networks.map(({ bridge }) => `link del ${bridge}`),
    ]);
    namespaces.length = 0;
    made.clear();
  };
  atEnd(remove);
  try {
    let free = 0;
    for (const name of ['clients', ...networks]) {
      const number = addNetwork(free);
      free = number + 1;
      const bridge = bridgeOf(number);
      made.set(name, { number, bridge });
      must([`addr add ${address(number, own)}/24 dev ${bridge}`, `link set ${bridge} up`]);
    }
    const hosts = Array.from({ length: count }, (_, index) => {
      const namespace = `lectern-${process.pid}-${made.get('clients')?.number}-${index}`;
      must([`netns add ${namespace}`]);
      namespaces.push(namespace);
      must(
        [...made.values()].flatMap(({ number, bridge }) => {
          const [port, last] = [portOf(number, index), ofHost(index)];
          return [
            `link add ${port} type veth peer name net${number} address ${hardware(number, last)} netns ${namespace}`,
            `link set ${port} master ${bridge} up`,
            // Otherwise a cut would be noticed after some seconds, since nobody answers for the address.
            `neigh replace ${address(number, last)} lladdr ${hardware(number, last)} dev ${bridge} nud permanent`,
          ];
        }),
      );
      const inside = [...made.values()].flatMap(({ number }) => [
        `addr add ${address(number, ofHost(index))}/24 dev net${number}`,
        `link set net${number} up`,
        `neigh replace ${address(number, own)} lladdr ${hardware(number, own)} dev net${number} nud permanent`,
      ]);
      const { status, stderr } = spawnSync('ip', ['-n', namespace, '-batch', '-'], { input: ['link set lo up', ...inside, ''].join('\n') });
      if (status !== 0) throw new Error(`ip: ${stderr}`);
      return hostOf(namespace, index, made);
    });
    return { hosts, addressIn: (network) => address(numberOf(made, network), own), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function numberOf(made: ReadonlyMap<string, Network>, network: string): number {
  const found = made.get(network);
  if (found === undefined) throw new Error(`there is no network ${network}`);
  return found.number;
}

function hostOf(namespace: string, index: number, made: ReadonlyMap<string, Network>): Host {
  const set = (networks: readonly string[], to: (number: number) => string) =>
    must(networks.map((network) => numberOf(made, network)).map((number) => `link set ${portOf(number, index)} ${to(number)}`));
  return {
    launcher: ['ip', 'netns', 'exec', namespace],
    address: address(numberOf(made, 'clients'), ofHost(index)),
    cut: (...networks) => set(networks, () => 'nomaster'),
    heal: (...networks) => set(networks, (number) => `master ${bridgeOf(number)}`),
  };
}
