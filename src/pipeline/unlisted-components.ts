import type { Component, ContentModel, Uid } from '../model/content-model.ts';

/** A component in a dynamic zone whose schema does not list it. */
export interface Unlisted {
  readonly zone: string;
  readonly component: Uid;
}

/** Components that dynamic zones were found to hold although their schemas do not list them: Strapi takes any component, and does not delete the rows
 *  of one that is removed from the list. Plans have branches for listed and for found components, so the first read that meets another one makes
 *  its plan again. Only components of the model are added, which limits their number. */
export class UnlistedComponents {
  readonly #model: ContentModel;
  readonly #found = new Map<string, Set<Component>>();

  constructor(model: ContentModel) {
    this.#model = model;
  }

  in(zone: string): Iterable<Component> {
    return this.#found.get(zone) ?? [];
  }

  /** Adds the components. Returns whether a new plan has branches that the plan that met them lacks. */
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
