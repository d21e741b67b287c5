/** The remedy for a secret that is not set. */
export const howToSetSecret = (variable: string): string =>
  `Set ${variable} in the file .env of the project folder, or in the environment, to a random text such as the output of: openssl rand -base64 32`;
