/** Sends mails by SMTP, or writes them to the log during development. */
import type { MailConfig } from '../config/config.ts';

export interface Mail {
  readonly to: string;
  /** The sender that the template names; the configuration takes precedence. */
  readonly from: string | undefined;
  readonly replyTo: string | undefined;
  readonly subject: string;
  readonly html: string;
  /** For mail readers without HTML; made of `html` where it is left out. */
  readonly text?: string | undefined;
}

export interface Mailer {
  /** Checked before a request that has to send a mail changes anything. */
  readonly available: boolean;
  /** Resolves when the mail server has accepted the mail. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** `log` gets the mails when no mail server is configured. */
export function createMailer(config: MailConfig, log: (mail: Mail) => void): Mailer {
  if (config.host === undefined) {
    return {
      available: config.withoutServer === 'log',
      async send(mail) {
        log(mail);
      },
      close: () => undefined,
    };
  }
  let transport: ReturnType<typeof openTransport> | undefined;
  return {
    available: true,
    async send({ to, from, replyTo, subject, html, text = plainText(html) }) {
      transport ??= openTransport(config);
      const sender = config.from ?? from;
      await (await transport).sendMail({
        // An object is used as it is; a text would be parsed as a list of e-mails.
        to: { name: '', address: to },
        ...(sender === undefined ? {} : { from: sender }),
        ...(replyTo === undefined ? {} : { replyTo }),
        subject,
        ...(html === '' ? {} : { html }),
        text,
      });
    },
    close() {
      void transport?.then((opened) => opened.close());
    },
  };
}

const waitMilliseconds = 15_000;

/** Loaded with the first mail. */
async function openTransport({ host, port, secure, username, password }: MailConfig) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...(host === undefined ? {} : { host }),
    port,
    secure,
    // An attacker on the network could remove the offer of STARTTLS to get the password.
    requireTLS: !secure && password !== undefined,
    ...(username === undefined ? {} : { auth: { user: username, pass: password ?? '' } }),
    pool: true,
    maxConnections: 2,
    connectionTimeout: waitMilliseconds,
    greetingTimeout: waitMilliseconds,
    socketTimeout: waitMilliseconds,
    // The content of a mail must not make this process read files or open URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** For mail readers without HTML. */
const plainText = (html: string) =>
  html
    .replaceAll(/<(?:br|\/p)\s*\/?>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim();
