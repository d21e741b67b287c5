/** What the HTTP server is made of. */
import type { IdentityStore } from '../accounts/provider-identity-store.ts';
import type { UserStore } from '../accounts/user-store.ts';
import type { AskVersion, Database } from '../dialects/database.ts';
import type { Replicas } from '../dialects/replicas.ts';
import type { AccessStore } from '../identity/access-store.ts';
import type { Identification } from '../identity/identify.ts';
import type { SessionStore } from '../identity/session-store.ts';
import type { TokenUse } from '../identity/token-use.ts';
import type { LocalesSource } from '../locales/locales.ts';
import type { Images } from '../media/images/images.ts';
import type { MediaFolders } from '../media/library/media-folders.ts';
import type { MediaLibrary } from '../media/library/media-library.ts';
import type { Storage } from '../media/storage/storage.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { Figures } from '../observe/figures.ts';
import type { Observation } from '../observe/open-observation.ts';
import type { OwnCode } from '../own-code/own-code.ts';
import type { AnswerBatch, AnswerRead, AnswerWrite, ExplainRead, ReachRow, WriteUser } from '../pipeline/call.ts';
import type { SearchIndexes } from '../search/search-index.ts';
import type { CodeEndpointParts } from './endpoints/code-endpoint.ts';
import type { RefusalParts } from './explain-refusals.ts';
import type { ServeUploadsParts } from './files/serve-uploads.ts';
import type { Presence } from './presence/presence.ts';
import type { RateCounts } from './rate-limits/rate-limiter.ts';
import type { Route } from './routes/routes.ts';
import type { Readiness } from './site/readiness.ts';

export interface HttpParts extends ServeUploadsParts {
  readonly model: ContentModel;
  readonly routes: readonly Route[];
  readonly database: Database;
  readonly askVersion: AskVersion;
  readonly answer: AnswerRead;
  /** Undefined if no type has a full-text search. */
  readonly searchIndexes?: SearchIndexes | undefined;
  readonly answerWrite: AnswerWrite;
  readonly answerBatch: AnswerBatch;
  readonly locales: LocalesSource;
  /** Undefined for a project without code of its own. */
  readonly code: OwnCode | undefined;
  readonly answerFor: CodeEndpointParts['answerFor'];
  /** Its name, only in development: others need not learn it. */
  readonly project: string | undefined;
  /** Only in development. */
  readonly explainRead: ExplainRead | undefined;
  /** Only in development: what a 401 or 403 says then. */
  readonly refusals: Pick<RefusalParts, 'declared' | 'isTemporary'> | undefined;
  /** Undefined for a project without users. */
  readonly writeUser: WriteUser | undefined;
  readonly library: MediaLibrary;
  readonly folders: MediaFolders;
  readonly reachRow: ReachRow;
  readonly store: AccessStore;
  readonly sessionStore: SessionStore;
  readonly users: UserStore;
  readonly identities: IdentityStore;
  readonly identification: Identification;
  readonly tokenUse: TokenUse;
  readonly counts: RateCounts;
  readonly presence: Presence;
  /** The `ApiError` of an expected failure, or the error itself. Endpoints query the database
   *  outside of the pipeline too: signing in writes a session, for instance. */
  readonly expected: (error: unknown) => unknown;
  readonly storage: Storage;
  readonly images: Images;
  readonly figures: Figures;
  readonly observation: Pick<Observation, 'observer' | 'route'>;
  readonly readiness: Readiness;
  /** Undefined without replicas. */
  readonly replicas: Replicas | undefined;
}
