/** The second stage: one walk over every path that a request names, with one rule for all parameters. */
import type { Rights } from '../../access/actor.ts';
import type { Policies } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { invalidKey, type QueryParameter } from '../../errors/invalid-key.ts';
import type { Attribute, Schema } from '../../model/content-model.ts';
import type { Filter, Hop, Population, ReadRequest, Selection, SortTerm } from '../parse/types.ts';
import type { PermittedRead } from './types.ts';

/** Refuses filters and sort through what the caller may not read, and leaves such relations out of the population. */
export function authoriseRead(request: ReadRequest, rights: Rights, policies: Policies): PermittedRead {
  return permittedRead(request, rights, policies, false);
}

/** `own`: of a draft that the caller has just made, which needs no right to drafts. */
export function permittedRead(request: ReadRequest, rights: Rights, policies: Policies, own: boolean): PermittedRead {
  const { type } = request;
  // A publication filter tells about drafts, too, wherever it reaches.
  const aboutDrafts = policies.draftsNeedRight && (request.status === 'draft' || request.publicationFilter !== undefined);
  if (aboutDrafts && type.draftAndPublish && !own) {
    const action = `${type.uid}.findDraft`;
    if (!rights.allows(action)) throw ApiError.of('access.drafts', { action });
  }
  const walk = new Walk(rights, aboutDrafts);
  const selection = walk.selection(request.selection, { filters: 'filters', sort: 'sort' });
  // The one place where the brand is put on.
  return { ...request, selection, scopeHops: policies.draftsNeedRight } as PermittedRead;
}

interface Parameters {
  readonly filters: QueryParameter;
  readonly sort: QueryParameter;
}
const insidePopulate: Parameters = { filters: 'populate', sort: 'populate' };

class Walk {
  readonly #rights: Rights;
  readonly #aboutDrafts: boolean;

  constructor(rights: Rights, aboutDrafts: boolean) {
    this.#rights = rights;
    this.#aboutDrafts = aboutDrafts;
  }

  selection(selection: Selection, parameters: Parameters): Selection {
    if (selection.filter !== undefined) this.#filter(selection.filter, parameters.filters);
    for (const term of selection.sort) this.#sort(term, parameters.sort);
    return { ...selection, populate: selection.populate.flatMap((each) => this.#population(each) ?? []) };
  }

  #filter(filter: Filter, parameter: QueryParameter): void {
    switch (filter.kind) {
      case 'and':
      case 'or':
        for (const operand of filter.operands) this.#filter(operand, parameter);
        return;
      case 'not':
        this.#filter(filter.operand, parameter);
        return;
      case 'hop':
        this.#hop(filter.hop, parameter);
        this.#filter(filter.filter, parameter);
        return;
      case 'comparison':
        return;
    }
  }

  #sort(term: SortTerm, parameter: QueryParameter): void {
    for (const hop of term.hops) this.#hop(hop, parameter);
  }

  #hop(hop: Hop, parameter: QueryParameter): void {
    if (!this.#mayRead(hop.attribute, hop.target)) throw invalidKey(hop.attribute.name, hop.path, parameter);
  }

  /** Undefined when the caller may not read what the attribute leads to: left out without an error. */
  #population(population: Population): Population | undefined {
    if (population.kind === 'polymorphic') {
      const branches = new Map(
        [...population.branches]
          .filter(([, selection]) => this.#mayRead(population.attribute, selection.schema))
          .map(([uid, selection]) => [uid, this.selection(selection, insidePopulate)]),
      );
      return { ...population, branches };
    }
    if (!this.#mayRead(population.attribute, population.target)) return undefined;
    return { ...population, selection: this.selection(population.selection, insidePopulate) };
  }

  #mayRead(attribute: Attribute, target: Schema): boolean {
    // Components are part of their owner. Media are always shown, and creators where the type says so (else they are private).
    if (target.kind === 'component' || attribute.kind === 'media') return true;
    if (attribute.kind === 'relation' && attribute.storage.kind === 'ownColumn' && attribute.target === 'admin::user') return true;
    if (!this.#rights.allows(`${target.uid}.find`)) return false;
    return !this.#aboutDrafts || !target.draftAndPublish || this.#rights.allows(`${target.uid}.findDraft`);
  }
}
