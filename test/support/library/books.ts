/** Books of the library that tests write. */
import { expect } from 'vitest';
import type { HttpResponse } from '../http.ts';
import { bodyOf, idOf, type Library } from './library.ts';

export const related = {
  writer: idOf('writer', 'bea'),
  subjects: [idOf('subject', 'optics'), idOf('subject', 'verse')],
  similar: [idOf('book', 'maps')],
};

export const components = (count: number) => ({
  summary: { headline: 'h', origin: { place: 'p', year: 1 } },
  editions: Array.from({ length: count }, (_, index) => ({ year: index, publisher: 'p', translator: idOf('writer', 'ada') })),
  sections: Array.from({ length: count }, (_, index) => ({ __component: 'print.quotation', words: `words ${index}` })),
});

/** Writes that have to succeed. */
export function writesTo(library: Library) {
  let made = 0;
  async function write(method: string, path: string, data?: object): Promise<HttpResponse> {
    const response = await library.ask('full', { method, path, ...(data === undefined ? {} : { body: { data } }) });
    expect({ status: response.status < 300, text: response.status < 300 ? '' : response.text }).toEqual({ status: true, text: '' });
    return response;
  }
  const newBook = (data: object): object => {
    const key = `written-${made++}`;
    return { title: key, slug: key, ...data };
  };
  /** A new book, by its path. */
  async function book(data: object, status = 'published'): Promise<string> {
    const response = await write('POST', `/api/books?status=${status}`, newBook(data));
    return `/api/books/${(bodyOf(response).data as { readonly documentId: string }).documentId}`;
  }
  return { write, newBook, book };
}
