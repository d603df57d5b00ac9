import { globSync, readFileSync } from 'node:fs';
import rxjs from 'eslint-plugin-rxjs-x';
import tseslint from 'typescript-eslint';

/**
 * A pipeline runs from the moment someone subscribes; few files decide when that is: the composition root, the engine that runs the
 * pipeline, the replay, and `strategies.ts`, which answers a view at once. A strategy that runs without a daemon has a root of its
 * own: `strategy-run.ts` in tests, `decider.ts` in fast backtests.
 */
const subscriptionRule = {
  selector: "CallExpression[callee.property.name='subscribe']",
  message:
    'Subscribe only in src/app, engine.ts, replay.ts, strategies.ts, strategy-run.ts and decider.ts; hand on the observable.',
};

/**
 * The files that handle streams. The rules of streams need types, which cost seconds for each hundred files. A file without any of
 * these words can at most pass on an observable that others made and named.
 */
const STREAMS = globSync('{src,strategies,test,bench,scripts}/**/*.ts', { cwd: import.meta.dirname }).filter(
  (file) =>
    /rxjs|Observable|[a-z]\$(?!\{)|\.(pipe|subscribe)\(/.test(
      readFileSync(new URL(file, import.meta.url), 'utf8'),
    ),
);

/** Only what oxlint cannot check: `.oxlintrc.json` holds all other rules, and they take a fraction of the time. */
export default tseslint.config(
  { ignores: ['node_modules/', 'coverage/', 'reports/', 'dist/', 'var/'] },
  { linterOptions: { noInlineConfig: true } },
  {
    files: STREAMS,
    extends: [rxjs.configs.strict],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'rxjs-x/finnish': ['error', { functions: false, methods: false, strict: false }],
      'rxjs-x/no-connectable': 'error',
      'rxjs-x/no-ignored-subscribe': 'error',
      // Every use decides for itself whether an empty stream is an error.
      'rxjs-x/no-ignored-default-value': 'off',
      'rxjs-x/no-subject-value': 'error',
    },
  },
  {
    files: STREAMS.filter(
      (file) =>
        /^(src|strategies)\//.test(file) &&
        !/^src\/(app\/|engine\/(engine|replay|strategies)\.ts|testing\/strategy-run\.ts|research\/fast\/deciding\/decider\.ts)/.test(
          file,
        ),
    ),
    rules: { 'no-restricted-syntax': ['error', subscriptionRule] },
  },
  {
    files: STREAMS.filter((file) => /^(test|bench)\//.test(file)),
    rules: {
      'rxjs-x/finnish': 'off',
      'rxjs-x/no-exposed-subjects': 'off',
      'rxjs-x/no-ignored-error': 'off',
      'rxjs-x/no-ignored-subscribe': 'off',
    },
  },
);
