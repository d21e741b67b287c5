/** A mail server that takes everything. */
import { createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

export interface ReceivedMail {
  readonly to: string;
  /** Headers and body, as sent. */
  readonly text: string;
}

export interface SmtpServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Waits until so many mails came. */
  received(count: number): Promise<readonly ReceivedMail[]>;
  close(): Promise<void>;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    converse(socket, (mail) => mails.push(mail));
  });
  const port = await listen(server);
  return {
    port,
    mails,
    async received(count) {
      for (let round = 0; mails.length < count; round++) {
        if (round === 200) throw new Error(`${mails.length} mails instead of ${count}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return mails;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function converse(socket: Socket, take: (mail: ReceivedMail) => void): void {
  let waiting = '';
  let to = '';
  let inData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 test');
  socket.setEncoding('utf8').on('error', () => undefined);
  socket.on('data', (text: string) => {
    waiting += text;
    for (;;) {
      const end = inData ? '\r\n.\r\n' : '\r\n';
      const at = waiting.indexOf(end);
      if (at === -1) return;
      const line = waiting.slice(0, at);
      waiting = waiting.slice(at + end.length);
      if (inData) {
        inData = false;
        take({ to, text: line });
        say('250 taken');
      } else if (/^RCPT TO:/i.test(line)) {
        to = line.slice('RCPT TO:'.length).trim();
        say('250 ok');
      } else if (/^DATA$/i.test(line)) {
        inData = true;
        say('354 go on');
      } else if (/^QUIT$/i.test(line)) {
        say('221 bye');
        socket.end();
      } else say('250 ok');
    }
  });
}

/** The text of a mail without quoted-printable's signs, so that a link is in one piece. */
export const readable = ({ text }: ReceivedMail): string =>
  text.replaceAll(/=\r\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
