/**
 * The direction of the dependencies, folder by folder. Everything that is not listed here is an error, type-only
 * imports included. `test/tidy/boundaries.test.ts` proves that this file is not vacuous: that it sees every
 * module, and that a planted forbidden import and a planted cycle are reported.
 *
 * Every folder may import itself and `lib`.
 */
const LAYOUT = {
  lib: [],
  domain: [],
  fills: ['domain'],
  hedge: ['domain'],
  betfair: ['domain'],
  ports: ['domain'],
  venue: ['ports', 'domain'],
  market: ['account', 'ports', 'domain'],
  strategy: ['domain'],
  orders: ['account', 'ports', 'domain'],
  account: ['domain'],
  risk: ['account', 'domain'],
  ledger: ['account', 'domain'],
  storage: ['ports', 'domain'],
  simulator: ['betfair', 'fills', 'ports', 'domain'],
  paper: ['venue', 'simulator', 'fills', 'ports', 'domain'],
  history: ['ledger', 'ports', 'domain'],
  recording: ['ports', 'domain'],
  // Of research the form of a tape alone, see `fair-reads-tapes-only`.
  fair: ['research', 'domain'],
  research: [
    'betfair',
    'fair',
    'fills',
    'recording',
    'market',
    'strategy',
    'risk',
    'ledger',
    'orders',
    'engine',
    'simulator',
    'ports',
    'domain',
  ],
  ops: ['read-model', 'ports', 'domain'],
  engine: ['market', 'strategy', 'orders', 'risk', 'hedge', 'ledger', 'account', 'ports', 'domain'],
  'read-model': ['engine', 'account', 'domain'],
  notify: ['ports', 'domain'],
  testing: ['strategy', 'engine', 'domain'],
  // Pages in a browser. A build puts them together; no other folder imports them.
  web: ['read-model', 'ops', 'research', 'fair', 'domain'],
  cli: ['app', 'betfair', 'fills', 'read-model', 'recording', 'research', 'fair', 'ops', 'ports', 'domain'],
};

/** The face of a folder: the files, without `.ts`, that other folders may import. A folder that is not here is all face. */
const FACES = {
  venue: ['index'],
  market: ['index'],
  strategy: ['sdk', 'contract', 'intents', 'wishes', 'price-source', 'time', 'host', 'session', 'loader'],
  orders: [
    'api',
    'manager',
    'options',
    'send-gate',
    'would-match',
    'targets/reconcile',
    'journal/records',
    'journal/fold',
    'journal/checkpoint',
    'recovery/account-check',
  ],
  risk: ['index'],
  testing: ['index', 'scenarios/scenario'],
  ledger: ['index'],
  'simulator/core': ['api', 'settings', 'exchange', 'catalogue', 'observed-feed', 'replies'],
};

/** `app` is the composition root: it may import every folder but the commands that start it, and pages. */
const APP_IMPORTS = Object.keys(LAYOUT).filter((folder) => !['cli', 'web'].includes(folder));

/** Folders without input, output, time or streams. */
const PURE = [
  'lib',
  'domain',
  'strategy',
  'account',
  'risk',
  'ledger',
  'fills',
  'hedge',
  'betfair',
  'fair',
  'read-model',
  'testing',
  'simulator/core',
];

/** Packages that hold no state and do no input or output; pure folders may use them. */
const PURE_PACKAGES = ['zod'];

/** Pure files that describe streams: a strategy may be one. They wait on the scheduler that they are given. */
const STREAMS = '^src/(strategy/(sdk|contract|host|session|time|price-source)|testing/strategy-run)[.]ts$';

const OURS = '^(src|strategies|test|bench|scripts|bin)/';
const inFolders = (folders) => `^src/(${folders.join('|')})/`;
const packagePath = (names) => `(^|/)node_modules/(${names.join('|')})/`;

const layoutRules = Object.entries({ ...LAYOUT, app: APP_IMPORTS }).map(([folder, imports]) => ({
  name: `layout-${folder}`,
  severity: 'error',
  comment: `src/${folder} may import ${['lib', ...imports].join(', ')} and itself`,
  from: { path: inFolders([folder]) },
  to: { path: OURS, pathNot: inFolders([folder, 'lib', ...imports]) },
}));

const faceRules = Object.entries(FACES).map(([folder, files]) => ({
  name: `face-of-${folder.replace('/', '-')}`,
  severity: 'error',
  comment: `Other folders import of src/${folder} its face alone: ${files.join(', ')}`,
  from: { path: '^src/', pathNot: inFolders([folder]) },
  to: { path: inFolders([folder]), pathNot: `^src/${folder}/(${files.join('|')})[.]ts$` },
}));

module.exports = {
  forbidden: [
    ...layoutRules,
    ...faceRules,
    {
      name: 'layout-unknown-folder',
      severity: 'error',
      comment: 'A folder under src that the layout does not name (or a module outside any folder)',
      from: { path: '^src/', pathNot: inFolders([...Object.keys(LAYOUT), 'app']) },
      to: {},
    },
    {
      name: 'simulator-core-is-pure',
      severity: 'error',
      comment: 'The exchange itself is a pure state machine: only lib, domain, fills and itself',
      from: { path: '^src/simulator/core/' },
      to: { path: OURS, pathNot: '^src/(lib|domain|fills|simulator/core)/' },
    },
    {
      name: 'fair-reads-tapes-only',
      severity: 'error',
      comment: 'Fair values come from the recorded market: they cannot see orders, fills or engines',
      from: { path: '^src/fair/' },
      to: { path: '^src/research/', pathNot: '^src/research/tape[.]ts$' },
    },
    {
      name: 'pure-folders-have-no-edges',
      severity: 'error',
      comment: `${PURE.join(', ')} import no rxjs, no node:* and no package that does input or output`,
      from: { path: inFolders(PURE), pathNot: STREAMS },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown'],
        pathNot: packagePath(PURE_PACKAGES),
      },
    },
    {
      name: 'streams-of-strategies-have-no-other-edges',
      severity: 'error',
      comment: 'The stream form of a strategy needs rxjs, and nothing else from outside',
      from: { path: STREAMS },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown'],
        pathNot: packagePath([...PURE_PACKAGES, 'rxjs']),
      },
    },
    {
      name: 'paper-has-no-network',
      severity: 'error',
      comment:
        'Paper gets wires, and never opens any: one file of it sends on them, and one file of app makes them',
      from: { path: '^src/paper/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'strategies-import-the-sdk-only',
      severity: 'error',
      comment:
        'A plugin sees the SDK and its own files, nothing else; no package either: the SDK hands on what is needed',
      from: { path: '^strategies/' },
      to: { pathNot: ['^src/strategy/sdk[.]ts$', '^strategies/'] },
    },
    {
      name: 'only-risk-approves',
      severity: 'error',
      comment: 'Risk approval is a type, and one module makes it',
      from: { path: '^(src|strategies|bench|scripts)/', pathNot: '^src/risk/approve[.]ts$' },
      to: { path: '^src/domain/mint-approval[.]ts$' },
    },
    {
      name: 'product-code-imports-no-tests',
      severity: 'error',
      from: { path: '^(src|strategies)/' },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'product-code-needs-no-development-packages',
      severity: 'error',
      comment: 'An installation without development packages must run',
      // Pages are bundled: their packages are inside the built page.
      from: { path: '^(src|strategies)/', pathNot: '^src/web/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable-imports', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Style sheets are no modules.
    exclude: { path: '[.]css$' },
    // Counts `import type` too: a type from the wrong folder is a dependency all the same.
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
