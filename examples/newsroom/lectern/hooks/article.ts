/** What an article has besides what its author writes, and the mail about it. */
import { defineHooks, excerpt, slug } from 'lectern';

export default defineHooks('api::article.article', {
  compute: {
    slug: slug({ from: 'title', history: 'formerSlugs', follow: true }),
    summary: excerpt({ from: 'body' }),
  },
  committed: {
    async publish({ document, mail }) {
      const to = process.env.DESK_MAIL;
      if (to === undefined || document === undefined) return;
      await mail({ to, subject: `Published: ${document.title}`, text: document.summary ?? '' });
    },
  },
});
