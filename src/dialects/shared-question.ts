/** A question that many callers ask a server at once. Callers that come during one question share
 *  the next one, so every answer is from after the call. */
export class SharedQuestion<T> {
  readonly #ask: () => Promise<T>;
  #next: { readonly answer: Promise<T>; readonly resolve: (answer: T) => void } | undefined;
  #isAsking = false;

  /** `ask` must not reject. */
  constructor(ask: () => Promise<T>) {
    this.#ask = ask;
  }

  answer(): Promise<T> {
    this.#next ??= pending<T>();
    const { answer } = this.#next;
    if (!this.#isAsking) void this.#answerAll();
    return answer;
  }

  async #answerAll(): Promise<void> {
    this.#isAsking = true;
    while (this.#next !== undefined) {
      // Callers of the same iteration of the event loop share the question.
      await new Promise((resolve) => setImmediate(resolve));
      const { resolve } = this.#next;
      this.#next = undefined;
      resolve(await this.#ask());
    }
    this.#isAsking = false;
  }
}

function pending<T>() {
  let resolve: (answer: T) => void = () => undefined;
  const answer = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { answer, resolve };
}
