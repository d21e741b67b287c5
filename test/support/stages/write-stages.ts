/** The stages of a write up to its plan, without a database: each function runs those up to its own. */
import type { Dialect } from '../../../src/dialects/dialect.ts';
import { sqlite } from '../../../src/dialects/sqlite.ts';
import { serverItself } from '../../../src/events/document-event.ts';

import { authoriseWrite } from '../../../src/pipeline/authorise/authorise-write.ts';
import type { PermittedWrite } from '../../../src/pipeline/authorise/types.ts';
import type { WriteAction, WriteCall } from '../../../src/pipeline/call.ts';
import { parseWrite } from '../../../src/pipeline/parse/parse-write.ts';
import type { WriteRequest } from '../../../src/pipeline/parse/types.ts';
import { planWrite } from '../../../src/pipeline/plan/plan-write.ts';
import type { PlannedWrite } from '../../../src/pipeline/plan/types.ts';
import { restrictionFilters } from '../../../src/pipeline/restrict/restriction-filters.ts';
import { UnlistedComponents } from '../../../src/pipeline/unlisted-components.ts';
import { fullRights, type Rights } from '../../../src/rights/rights.ts';
import { locales, ReadStages } from './read-stages.ts';

export interface WriteInput {
  /** `POST articles?status=draft`, `PUT articles/doc1`, `PATCH …`, `DELETE …`, or the name of another action in place of the method: `publish …`. */
  readonly request: string;
  readonly body?: unknown;
  readonly rights?: Rights;
}

const actions: Readonly<Record<string, WriteAction>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
  publish: 'publish',
  unpublish: 'unpublish',
  discardDraft: 'discardDraft',
};

export class WriteStages extends ReadStages {
  writeCall({ request, body, rights = fullRights }: WriteInput): WriteCall {
    const [method = '', path = ''] = request.split(' ');
    const action = actions[method];
    if (action === undefined) throw new Error(`no action ${method}`);
    const { type, target, query, actor, envelope } = this.call({ query: path, rights });
    return {
      type,
      action,
      documentId: target.kind === 'one' ? target.key : undefined,
      partial: method === 'PATCH',
      query,
      body,
      actor,
      restriction: rights.restriction(`${type.uid}.${action}`),
      envelope,
      ifMatch: undefined,
      idempotencyKey: undefined,
    };
  }

  parseWrite(input: WriteInput): WriteRequest {
    const { model, config } = this.magazine;
    return parseWrite(this.writeCall(input), { model, config, locales, unlisted: new UnlistedComponents(model) });
  }

  authoriseWrite(input: WriteInput): PermittedWrite {
    const { model, config } = this.magazine;
    const { rights = fullRights } = input;
    const parts = { rights, policies: config.policies, filterOf: restrictionFilters(model) };
    return authoriseWrite(this.parseWrite(input), parts, model);
  }

  planWrite(input: WriteInput, dialect: Dialect = sqlite): PlannedWrite {
    const { model, config } = this.magazine;
    return planWrite(this.authoriseWrite(input), {
      model,
      config,
      dialect,
      locales,
      hashes: new Map(),
      seesDrafts: true,
      newDocumentId: 'new',
      now: 0,
      caller: serverItself,
      keepsEvents: false,
    });
  }
}
