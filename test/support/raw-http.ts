/** Bytes that no client would send. */
import net from 'node:net';

/** Writes to a connection of its own, and gives all that came back when the server closes it, or after `wait` milliseconds. */
export function sendRaw(port: number, bytes: string | Uint8Array, wait = 2000): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes));
    const timer = setTimeout(() => socket.destroy(), wait);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
  });
}

/** The status of each response in the received text. */
export const statusesIn = (received: string): readonly number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
