/** `limits`: the maximum cost of a request or a caller. */
import { integer, million } from '../setting.ts';

export const limitSettings = {
  queryBytes: integer(65_536, [256, 16 * million], { description: 'Bytes of the query string' }),
  parameters: integer(1000, [1, million], { description: 'Parameters in the query string, or in a form' }),
  depth: integer(20, [1, 200], { description: 'Brackets of one parameter name: `a[b][c]` has 2' }),
  listValues: integer(100, [1, million], { description: 'Values of one list, as in `$in`' }),
  populatedPaths: integer(200, [1, 10_000], { description: 'Populated paths of one request, components of dynamic zones included' }),
  populateDepth: integer(20, [1, 200], { description: 'Levels of population' }),
  patternBytes: integer(2000, [1, 16_000], { description: 'Bytes of one value of a text operator (`$contains`, …) or of `_q`' }),
  searchBytes: integer(20_000, [1, million], {
    description: 'Bytes of all values of text operators in one request together; `_q` counts once for each attribute that it searches',
  }),
  searchWords: integer(16, [1, 100], { description: 'Words of one full-text search ([search.md](search.md))' }),
  rows: integer(100_000, [100, 100 * million], { description: 'Rows that one request may read, populated ones included' }),
  conditions: integer(200, [1, 10_000], { description: 'Conditions in all filters of one request' }),
  hops: integer(24, [1, 1000], {
    description: "Relations, components and media that one request's filters and sort pass through, all mentions together",
  }),
  sortTerms: integer(20, [1, 1000], { description: 'Sort terms of one list' }),
  bodyBytes: integer(1_048_576, [1024, 268_435_456], { description: 'Bytes of the body of a request, also after decompression' }),
  bodyDepth: integer(100, [4, 1000], {
    description: 'Levels of nested objects and lists in the body of a request: `{"data":{}}` has 2',
  }),
  components: integer(5000, [1, million], {
    description: 'Components of one body, and of one version of a document, including nested components',
  }),
  links: integer(10_000, [1, million], { description: 'Relation targets and files that one body names' }),
  passwords: integer(5, [1, 1000], { description: 'Passwords that one body sets; hashing one keeps a processor busy for about 50 ms' }),
  batch: integer(200, [1, 10_000], { description: 'Operations of one batch (`POST /api/_batch`)' }),
  bulk: integer(1000, [1, 10_000], { description: 'Documents that one write by filter changes (`PATCH /api/articles?filters…`)' }),
  responseBytes: integer(33_554_432, [1024, 1_073_741_824], { description: 'Bytes of one response' }),
  unsentBytes: integer(268_435_456, [1024, 17_179_869_184], {
    description: 'Bytes of all long responses (64 KiB or more) that clients have not received yet; beyond it reads get 503',
  }),
  statementTime: integer(10_000, [1, 3_600_000], { description: 'Milliseconds that the statements of one request may take' }),
  upstreamTime: integer(60_000, [100, 3_600_000], {
    description: 'Milliseconds within which `upstream` must begin its response, and after which a transfer without progress ends',
  }),
  upstreamConnections: integer(256, [1, 65_536], {
    description: 'Requests that are forwarded to `upstream` at a time, and as many WebSockets; further ones get 503',
  }),
  queue: integer(1000, [0, million], { description: 'Requests that may wait for the database before further ones get 503' }),
};
