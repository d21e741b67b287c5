/** `<%= NAME %>` in the templates of mails, as in Strapi. */
const placeholder = /<%[=-]?\s*([\w.]+)\s*%>/g;

/** `'<%= URL %>?code=<%= TOKEN %>'` → `['URL', 'TOKEN']` */
export const placeholdersOf = (template: string): readonly string[] => [...template.matchAll(placeholder)].map(([, name = '']) => name);

/** Replaces placeholders by values, and never runs them as code; unknown ones become empty. */
export const fillPlaceholders = (template: string, values: Readonly<Record<string, string>>, written: (value: string) => string): string =>
  template.replaceAll(placeholder, (_, name: string) => (Object.hasOwn(values, name) ? written(values[name] ?? '') : ''));
