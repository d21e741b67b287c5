import document from './en/document.json';
import editors from './en/editors.json';
import fields from './en/fields.json';
import lists from './en/lists.json';
import media from './en/media.json';
import people from './en/people.json';
import releases from './en/releases.json';
import shell from './en/shell.json';

export const words = { ...document, ...editors, ...fields, ...lists, ...media, ...people, ...releases, ...shell };
