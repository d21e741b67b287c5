import type { Component, ContentModel, Uid } from '../model/content-model.ts';

/** A component in a dynamic zone whose schema does not list it. */
export interface Unlisted {
  readonly zone: string;
  readonly component: Uid;
}

/** What dynamic zones were found to hold beside what their schemas list: Strapi takes any component, and keeps the rows of one that is taken out
 *  of the list. Plans have branches for what is listed and for what was found, so a plan is made again by the first read that meets something
 *  new. Nothing is found that the model does not have, which bounds it. */
export class UnlistedComponents {
  readonly #model: ContentModel;
  readonly #found = new Map<string, Set<Component>>();

  constructor(model: ContentModel) {
    this.#model = model;
  }

  in(zone: string): Iterable<Component> {
    return this.#found.get(zone) ?? [];
  }

  /** Whether a plan made from now on has branches that one that met these has not. */
  learn(met: readonly Unlisted[]): boolean {
    let wider = false;
    for (const { zone, component: uid } of met) {
      const component = this.#model.components.get(uid);
      if (component === undefined) continue;
      this.#found.set(zone, (this.#found.get(zone) ?? new Set()).add(component));
      wider = true;
    }
    return wider;
  }
}
