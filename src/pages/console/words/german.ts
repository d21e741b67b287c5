import document from './de/document.json';
import editors from './de/editors.json';
import fields from './de/fields.json';
import lists from './de/lists.json';
import media from './de/media.json';
import people from './de/people.json';
import releases from './de/releases.json';
import shell from './de/shell.json';

export const words = { ...document, ...editors, ...fields, ...lists, ...media, ...people, ...releases, ...shell };
