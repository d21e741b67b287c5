/** A mistake in prepared content. */
export class ContentError extends Error {
  /** `api::article.article a-key (fr).tags`: the document and the attribute; or the type alone. */
  readonly place: string;
  readonly problem: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.name = 'ContentError';
    this.place = place;
    this.problem = problem;
  }
}
