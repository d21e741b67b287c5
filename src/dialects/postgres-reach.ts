/** Connects to a PostgreSQL server at the start: reads TLS files, and explains errors in one sentence. */
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import type { DatabaseConfig } from '../config/config.ts';
import { StartError } from '../errors/start-error.ts';

type TlsConfig = Pick<DatabaseConfig, 'sslCa' | 'sslCert' | 'sslKey' | 'sslRejectUnauthorized'>;

/** Returns the TLS options. Throws a `StartError` for text that is not a certificate or key. */
export function tlsOf({ sslCa, sslCert, sslKey, sslRejectUnauthorized }: TlsConfig): ConnectionOptions {
  const ca = pem('DATABASE_SSL_CA', sslCa);
  const cert = pem('DATABASE_SSL_CERT', sslCert);
  const key = pem('DATABASE_SSL_KEY', sslKey);
  const given = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
  try {
    createSecureContext(given);
  } catch (error) {
    throw new StartError([`DATABASE_SSL_CA, DATABASE_SSL_CERT and DATABASE_SSL_KEY cannot be used together: ${messageOf(error)}`]);
  }
  return { ...given, rejectUnauthorized: sslRejectUnauthorized };
}

function pem(name: string, textOrPath: string | undefined): string | undefined {
  if (textOrPath === undefined || textOrPath.includes('-----BEGIN')) return textOrPath;
  try {
    const text = readFileSync(textOrPath, 'utf8');
    if (text.includes('-----BEGIN')) return text;
  } catch (error) {
    throw new StartError([`${name} must be PEM text or the path of a file with it: ${messageOf(error)}`]);
  }
  throw new StartError([`${name} names the file ${textOrPath}, which has no PEM text (-----BEGIN …)`]);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Matches the codes of errors in the server's certificate. Source: Node.js manual, "X509 certificate error codes". */
const untrusted =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_|CERT_|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Returns an error that says what the operator can do; undefined for errors whose code is clear enough. */
export function unreachable(error: unknown, { ssl }: Pick<DatabaseConfig, 'ssl'>): StartError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (error.message.includes('does not support SSL')) {
    const setting = ssl ? 'set DATABASE_SSL=false' : 'take sslmode from DATABASE_URL';
    return new StartError([`The database server does not support TLS: ${setting}, or switch it on at the server (ssl = on).`]);
  }
  if (error.message.includes('no encryption') && !ssl)
    return new StartError([`The database server refuses connections without TLS: set DATABASE_SSL=true (${error.message}).`]);
  if (untrusted.test(code)) {
    return new StartError([
      `The certificate of the database server is not trusted (${error.message}): set DATABASE_SSL_CA to the certificate of the authority that signed it, or DATABASE_SSL_REJECT_UNAUTHORIZED=false to accept any.`,
    ]);
  }
  if (/certificate required|alert certificate|valid client certificate/i.test(error.message))
    return new StartError([`The database server requires a certificate (${error.message}): set DATABASE_SSL_CERT and DATABASE_SSL_KEY.`]);
  return undefined;
}
