/** Problems with a database that a URL on the command line names. */

/** The part of a URL for each setting that problems name. The pool's settings are not in a URL. */
const partsOfUrl: Readonly<Record<string, string>> = {
  'HOST and DATABASE_HOST': 'the host in the URL',
  'check DATABASE_POOL_MAX and the server': 'check the server',
  'file that DATABASE_FILENAME names': 'file',
  DATABASE_CLIENT: 'its scheme',
  DATABASE_FILENAME: 'the path',
  'host in DATABASE_HOST': 'host in the URL',
  DATABASE_HOST: 'the host',
  DATABASE_PORT: 'the port in the URL',
  DATABASE_NAME: 'the name in the URL',
  'user that DATABASE_USERNAME names': 'user in the URL',
  DATABASE_USERNAME: 'the user',
  DATABASE_PASSWORD: 'the password in the URL',
};

export const ofUrl = (problem: string) =>
  Object.entries(partsOfUrl).reduce(
    (text, [setting, part]) => text.replace(new RegExp(`\\b${setting}\\b`), part),
    problem
      .replace(', or DATABASE_URL, right', ' right')
      .replace(/,? or DATABASE_URL\b/, '')
      .replace(/^DATABASE_URL\b/, 'The URL')
      .replaceAll(/\bDATABASE_URL\b/g, 'the URL')
      // Its value here is not that of a setting.
      .replace(' (database.connectionTime)', ''),
  );
