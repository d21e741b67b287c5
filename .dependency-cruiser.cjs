/** The import rule of ARCHITECTURE.md, held by `npm run lint`: verbs are stages and run in one order, nouns know no stage, and only
 *  `dialects` knows a driver. */
const stages = ['parse', 'authorise', 'plan', 'compile', 'execute', 'render'];
const nouns = [
  'accounts',
  'archives',
  'events',
  'history',
  'config',
  'demo-content',
  'dialects',
  'errors',
  'identity',
  'indexes',
  'locales',
  'media',
  'migrations',
  'model',
  'observe',
  'own-code',
  'project-code',
  'rights',
  'schedule',
  'search',
  'sql',
  'tables',
  'text',
  'transfer',
];

const test = '\\.test\\.ts$';

/** A stage knows nothing of the stages after it. */
const noLaterStage = stages.slice(0, -1).map((stage, index) => ({
  name: `${stage}-imports-no-later-stage`,
  comment: 'Stages run in the order parse, authorise, plan, compile, execute, render; none knows what comes after it.',
  severity: 'error',
  from: { path: `^src/pipeline/${stage}/` },
  to: { path: `^src/pipeline/(${stages.slice(index + 1).join('|')})/` },
}));

/** Of an earlier stage, only the shape of its result. */
const onlyTypesOfEarlierStages = stages.slice(1).map((stage, index) => ({
  name: `${stage}-imports-types-alone`,
  comment: 'What a stage needs of an earlier one is the type of its result: use `import type`. Code for two stages belongs to a noun.',
  severity: 'error',
  from: { path: `^src/pipeline/${stage}/`, pathNot: test },
  to: { path: `^src/pipeline/(${stages.slice(0, index + 1).join('|')})/`, dependencyTypesNot: ['type-only'] },
}));

module.exports = {
  forbidden: [
    ...noLaterStage,
    ...onlyTypesOfEarlierStages,
    {
      name: 'stages-import-no-answer',
      comment: '`answer-read.ts` calls the stages, not the other way round.',
      severity: 'error',
      from: { path: '^src/pipeline/[^/]+/' },
      to: { path: '^src/pipeline/answer-read\\.ts$' },
    },
    {
      name: 'rights-import-no-identity',
      comment: 'An actor has rights; rights do not depend on who has them.',
      severity: 'error',
      from: { path: '^src/rights/' },
      to: { path: '^src/identity/' },
    },
    {
      name: 'nouns-import-no-verbs',
      comment: 'Nouns are used by the pipeline, by http and by the commands; they know none of them.',
      severity: 'error',
      from: { path: `^src/(${nouns.join('|')})/` },
      to: { path: '^src/(pipeline|http|cli|permissions)/|^src/app\\.ts$' },
    },
    {
      name: 'pipeline-imports-no-surroundings',
      comment: 'The pipeline is called by http and knows neither it nor the commands.',
      severity: 'error',
      from: { path: '^src/pipeline/' },
      to: { path: '^src/(http|cli|permissions)/|^src/app\\.ts$' },
    },
    {
      name: 'http-imports-no-surroundings',
      comment: 'The composition root builds http; the commands call the composition root.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/cli/|^src/app\\.ts$' },
    },
    {
      name: 'app-imports-no-command',
      comment: 'Commands start the composition root. What both need stands beside its subject.',
      severity: 'error',
      from: { path: '^src/app\\.ts$' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'only-commands-develop',
      comment: 'A server reads the files of a project; it neither writes nor watches them, and compares itself with no other.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli|compare|development|doctor|new-project|schema-files|transfer|typescript)/' },
      to: { path: '^src/(compare|development|doctor|new-project|schema-files|transfer|typescript)/' },
    },
    {
      name: 'http-only-calls-the-pipeline',
      comment: 'A request becomes a call, and a call has a response. What happens in between may change without http.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/pipeline/', pathNot: '^src/pipeline/(call|answer-once|answer-read|answer-write)\\.ts$' },
    },
    {
      name: 'permissions-only-check-conditions',
      comment: 'Rights in a file are read without a request; whether a condition can be read is for the parser of filters to say.',
      severity: 'error',
      from: { path: '^src/permissions/' },
      to: { path: '^src/pipeline/', pathNot: '^src/pipeline/restrict/restriction-filters\\.ts$' },
    },
    {
      name: 'openapi-only-describes',
      comment: 'A description needs the routes and what may be read; it reads no request and runs nothing.',
      severity: 'error',
      from: { path: '^src/openapi/' },
      to: {
        path: '^src/(pipeline|http|cli|dialects|sql)/|^src/app\\.ts$',
        pathNot: '^src/pipeline/(call|parse/(filters|types))\\.ts$|^src/http/routes/routes\\.ts$',
      },
    },
    {
      name: 'openapi-is-for-callers',
      comment: 'What serves requests does not depend on its description.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(openapi|http/endpoints|http/site/explore|cli)/' },
      to: { path: '^src/openapi/' },
    },
    {
      name: 'nouns-import-no-migrations',
      comment: 'Migrations bring a database to the model at a start. What runs afterwards reads the schema as values, from `tables`.',
      severity: 'error',
      from: { path: `^src/(${nouns.filter((noun) => noun !== 'migrations').join('|')}|permissions|pipeline|http)/` },
      to: { path: '^src/migrations/' },
    },
    {
      name: 'only-app-and-http-answer',
      comment: 'Everybody else would go round what http checks before it calls the pipeline.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(app|open-documents)\\.ts$', '^src/http/', '^src/pipeline/answer-'] },
      to: { path: '^src/pipeline/answer-read\\.ts$' },
    },
    {
      name: 'only-dialects-import-drivers',
      comment: 'A difference between databases is a question that `Dialect` answers.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/dialects/' },
      to: { path: 'node_modules/(@types/)?(better-sqlite3(-napi)?|pg|mysql2)/' },
    },
    {
      name: 'text-imports-nothing',
      comment: 'Helpers on text serve every folder, so they may depend on none.',
      severity: 'error',
      from: { path: '^src/text/', pathNot: test },
      to: { path: '^src/', pathNot: '^src/text/' },
    },
    {
      name: 'pages-import-types-alone',
      comment: 'Pages run in browsers. Of the server they need the types of what its endpoints send, and helpers on text.',
      severity: 'error',
      from: { path: '^src/pages/' },
      to: { path: '^src/', pathNot: '^src/(pages|text)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-pages',
      comment: 'The server sends the bundles of pages as files (`http/site/pages.ts`).',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/pages/' },
      to: { path: '^src/pages/' },
    },
    {
      name: 'no-cycles',
      comment: 'Two modules that need each other are one module, or lack a third one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment: 'A rule cannot judge an import that it cannot find.',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports of types count as well: they are what stages may have of each other.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.cjs', '.mjs', '.d.ts'],
    },
  },
};
