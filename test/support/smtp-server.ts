/** A mail server that takes everything. */
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, vi } from 'vitest';
import { listen } from './listen.ts';

interface ReceivedMail {
  readonly to: string;
  /** Headers and body, as sent. */
  readonly text: string;
}

/** Called in the body of a `describe`, before the server that sends its mails there. */
export function useSmtpServer() {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    converse(socket, (mail) => mails.push(mail));
  });
  let port = 0;
  beforeAll(async () => {
    port = await listen(server);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    mails,
    env: () => ({
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(port),
      SMTP_FROM: 'desk@example.org',
      PUBLIC_URL: 'https://api.example.org',
    }),
    /** Waits until so many mails came, and returns the last one as readable text. */
    async last(count: number): Promise<ReceivedMail> {
      const { to, text } = await vi.waitUntil(() => mails.length >= count && mails.at(-1), { timeout: 10_000 });
      return { to, text: readable(text) };
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
const readable = (text: string): string =>
  text.replaceAll(/=\r\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
