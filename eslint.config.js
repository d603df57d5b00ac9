import rxjs from 'eslint-plugin-rxjs-x';
import tseslint from 'typescript-eslint';

/**
 * A pipeline runs from the moment someone subscribes; the composition root decides when that is. `strategy-run.ts` is the
 * composition root of a strategy that runs without a daemon.
 */
const subscriptionRule = {
  selector: "CallExpression[callee.property.name='subscribe']",
  message: 'Subscribe in src/app and src/testing/strategy-run.ts only, and hand on the observable.',
};

/**
 * Only what oxlint cannot check, which are the rules of streams and one more: `.oxlintrc.json` holds all others, and
 * they take a fraction of the time.
 */
export default tseslint.config(
  { ignores: ['node_modules/', 'coverage/', 'reports/', 'dist/', 'var/', '.stryker-tmp/'] },
  { linterOptions: { noInlineConfig: true } },
  {
    files: ['**/*.ts'],
    extends: [rxjs.configs.strict],
    plugins: { '@typescript-eslint': tseslint.plugin },
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
      // oxlint has this rule, but does not see an exported class.
      '@typescript-eslint/no-unsafe-declaration-merging': 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'strategies/**/*.ts'],
    ignores: ['src/app/**', 'src/testing/strategy-run.ts'],
    rules: { 'no-restricted-syntax': ['error', subscriptionRule] },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'rxjs-x/finnish': 'off',
      'rxjs-x/no-exposed-subjects': 'off',
      'rxjs-x/no-ignored-error': 'off',
      'rxjs-x/no-ignored-subscribe': 'off',
    },
  },
);
