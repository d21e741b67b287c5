/** Authors have the number of their articles. */
import { type AlsoWrite, defineHooks, increment, linkedTo, update } from 'lectern';

const count = (author: string | undefined, by: number): AlsoWrite[] =>
  author === undefined ? [] : [update('api::author.author', author, { articles: increment(by) })];

export default defineHooks('api::article.article', {
  // Callers need no right to change authors.
  asSystem: true,
  populate: ['author'],
  before: {
    create: (write) => ({ also: count(linkedTo(write, 'author'), 1) }),
    update(write) {
      const [before, now] = [write.document?.author?.documentId, linkedTo(write, 'author')];
      return before === now ? {} : { also: [...count(before, -1), ...count(now, 1)] };
    },
    delete: ({ document }) => ({ also: count(document?.author?.documentId, -1) }),
  },
});
