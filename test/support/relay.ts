/** Stands between a server and what it depends on, and can fall silent or hang up as a real network does. */
import net from 'node:net';

export interface Relay {
  readonly port: number;
  /** Everything that was sent so far. */
  readonly sent: string;
  /** How often a caller sent something after it had received something: what it sends without waiting counts once. */
  readonly turns: number;
  /** Keeps connections, and takes new ones, but passes nothing on. */
  silence(): void;
  hangUp(): Promise<void>;
  /** Connections that fell silent stay silent; new ones pass. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

interface Target {
  readonly host: string;
  readonly port: number;
  /** Milliseconds by which responses are delayed, as by a network. */
  readonly delay?: number;
  /** Whether to collect `sent`, which takes much memory under load. */
  readonly isRecorded?: boolean;
  /** The address of this machine at which it listens. */
  readonly listenOn?: string;
}

export async function startRelay({ delay = 0, isRecorded = true, listenOn = '127.0.0.1', ...target }: Target): Promise<Relay> {
  const sockets = new Set<net.Socket>();
  let silent = false;
  let sent = '';
  let turns = 0;
  // Otherwise small responses wait for one another.
  const noDelay = true;
  const server = net.createServer({ noDelay }, (caller) => {
    const callee = net.connect({ ...target, noDelay });
    let isLost = false;
    const passes = () => {
      isLost ||= silent;
      return !isLost;
    };
    for (const socket of [caller, callee]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        caller.destroy();
        callee.destroy();
      });
    }
    let hasReceived = true;
    caller.on('data', (data) => {
      if (hasReceived) turns++;
      hasReceived = false;
      if (isRecorded) sent += data.toString('latin1');
      if (passes()) callee.write(data);
    });
    const receive = (data: Buffer) => {
      hasReceived = true;
      if (passes()) caller.write(data);
    };
    callee.on('data', (data) => (delay === 0 ? receive(data) : void setTimeout(() => receive(data), delay)));
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, listenOn, resolve));
  const hangUp = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    get sent() {
      return sent;
    },
    get turns() {
      return turns;
    },
    silence() {
      silent = true;
    },
    hangUp,
    async restore() {
      silent = false;
      if (!server.listening) await listen(port);
    },
    async close() {
      if (server.listening) await hangUp();
    },
  };
}
