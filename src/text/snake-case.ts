/** Names in lodash's snake case and kebab case. Strapi names columns and folders with these
 *  functions, so their word rules are part of the storage format. */
import camel from 'lodash/camelCase.js';
import kebab from 'lodash/kebabCase.js';
import snake from 'lodash/snakeCase.js';

/** `opensAt` → `opens_at`, `HTMLBody` → `html_body`; empty if the name has no letter or digit. */
export const snakeCase = (name: string): string => snake(name);

/** `My API2` → `my-api-2`. */
export const kebabCase = (name: string): string => kebab(name);

/** `blog-post` → `blogPost`. */
export const camelCase = (name: string): string => camel(name);

const kebabName = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** The name of a folder or file in the form that Strapi uses in uids. */
export const normaliseName = (name: string): string => (kebabName.test(name) ? name : kebabCase(name));
