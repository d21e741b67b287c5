import type { TextPlace } from './dialect.ts';

/** A LIKE pattern that means exactly this text, with `\` as the escape character. */
export function likePattern(value: string, place: TextPlace): string {
  return wrap(value.replace(/[\\%_]/g, '\\$&'), place, '%');
}

/** A SQLite GLOB pattern that means exactly this text; GLOB has no escape character but a set of one. */
export function globPattern(value: string, place: TextPlace): string {
  return wrap(value.replace(/[*?[]/g, '[$&]'), place, '*');
}

function wrap(escaped: string, place: TextPlace, wildcard: string): string {
  switch (place) {
    case 'anywhere':
      return `${wildcard}${escaped}${wildcard}`;
    case 'start':
      return `${escaped}${wildcard}`;
    case 'end':
      return `${wildcard}${escaped}`;
    case 'whole':
      return escaped;
  }
}
