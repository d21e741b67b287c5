/** What one route does, as the document describes it. */
import type { Config } from '../config/config.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { Rights } from '../rights/rights.ts';
import { Visible } from '../rights/visible.ts';
import { Components } from './components.ts';
import type { Parameter, Reference, RequestBody, Response, Tag } from './document-parts.ts';
import { type ErrorKind, type ErrorResponses, errorResponses } from './error-responses.ts';
import { QuerySchemas } from './query-schemas.ts';
import { TypeSchemas } from './schemas-of-types.ts';

export interface DescribedOperation {
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly body?: RequestBody;
  /** The responses of success, by status. */
  readonly success: Readonly<Record<string, Response>>;
  readonly errors: ErrorKind;
  /** Whether callers without credentials may always call it, such as to sign in. */
  readonly open?: boolean;
}

/** What descriptions are made with. */
export interface Toolbox {
  readonly config: Config;
  readonly model: ContentModel;
  readonly rights: Rights;
  readonly components: Components;
  readonly visible: Visible;
  readonly types: TypeSchemas;
  readonly queries: QuerySchemas;
  readonly errors: ErrorResponses;
}

export function createToolbox(config: Config, model: ContentModel, rights: Rights): Toolbox {
  const components = new Components();
  const visible = new Visible(model, config, rights);
  return {
    config,
    model,
    rights,
    components,
    visible,
    types: new TypeSchemas(model, config.policies, components, visible),
    queries: new QuerySchemas(model, config, components, visible),
    errors: errorResponses(components, config.policies),
  };
}
