/** Says where a secret is set, and how to make one. */
export const howToSetSecret = (variable: string): string =>
  `Set ${variable} in the file .env of the project folder, or in the environment, to a random text such as the output of: openssl rand -base64 32`;
