import type { Component, ContentModel, Uid } from '../model/content-model.ts';

/** A component in a dynamic zone whose schema does not list it. */
export interface Unlisted {
  readonly zone: string;
  readonly component: Uid;
}

/** Components found in dynamic zones whose schemas do not list them: Strapi accepts any component,
 *  and keeps the rows of a component that is removed from the list. Plans have branches for listed
 *  and found components; a read that finds another is repeated with a new plan. Only components of
 *  the model are added, which limits their number. */
export class UnlistedComponents {
  readonly #model: ContentModel;
  readonly #found = new Map<string, Set<Component>>();

  constructor(model: ContentModel) {
    this.#model = model;
  }

  in(zone: string): Iterable<Component> {
    return this.#found.get(zone) ?? [];
  }

  /** Adds the components. Returns whether a new plan will have more branches than before. */
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
