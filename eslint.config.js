import rxjs from 'eslint-plugin-rxjs-x';
import tseslint from 'typescript-eslint';

/** Rules of the language that the type checker does not enforce. */
const languageRules = {
  complexity: ['error', { max: 12, variant: 'modified' }],
  eqeqeq: 'error',
  'max-depth': ['error', 3],
  'max-params': ['error', 6],
  'no-async-promise-executor': 'error',
  'no-case-declarations': 'error',
  'no-cond-assign': 'error',
  'no-constructor-return': 'error',
  'no-else-return': 'error',
  'no-empty': 'error',
  'no-eval': 'error',
  'no-fallthrough': 'error',
  'no-lonely-if': 'error',
  'no-param-reassign': 'error',
  'no-promise-executor-return': ['error', { allowVoid: true }],
  'no-self-compare': 'error',
  'no-sparse-arrays': 'error',
  'no-template-curly-in-string': 'error',
  'no-unreachable-loop': 'error',
  'no-unsafe-finally': 'error',
  'no-unsafe-optional-chaining': 'error',
  'no-useless-catch': 'error',
  'no-useless-escape': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
  radix: 'error',
  'use-isnan': 'error',
};

const typedRules = {
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/consistent-type-exports': 'error',
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/no-shadow': 'error',
  '@typescript-eslint/no-unnecessary-boolean-literal-compare': 'error',
  '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'always' }],
  // Takes `a ?? (b as T)` for unnecessary where the type checker needs it, and would mend it away.
  '@typescript-eslint/no-unnecessary-type-assertion': 'off',
  '@typescript-eslint/no-unnecessary-template-expression': 'error',
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  '@typescript-eslint/only-throw-error': 'error',
  '@typescript-eslint/prefer-optional-chain': 'error',
  '@typescript-eslint/prefer-readonly': 'error',
  '@typescript-eslint/promise-function-async': 'off',
  '@typescript-eslint/require-await': 'off',
  '@typescript-eslint/restrict-template-expressions': [
    'error',
    { allowNumber: true, allowBoolean: true, allowNullish: true },
  ],
  '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
  '@typescript-eslint/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
  ],
  '@typescript-eslint/use-unknown-in-catch-callback-variable': 'error',
};

const rxjsRules = {
  'rxjs-x/finnish': ['error', { functions: false, methods: false, strict: false }],
  'rxjs-x/no-connectable': 'error',
  'rxjs-x/no-ignored-subscribe': 'error',
  // Every use decides for itself whether an empty stream is an error.
  'rxjs-x/no-ignored-default-value': 'off',
  'rxjs-x/no-subject-value': 'error',
};

const sizeRules = {
  'max-lines': ['error', { max: 500 }],
  'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
  'max-statements': ['error', 30],
};

/** A pipeline runs from the moment someone subscribes; the composition root decides when that is. */
const subscriptionRule = {
  selector: "CallExpression[callee.property.name='subscribe']",
  message: 'Subscribe in src/app only, and hand on the observable.',
};

/** Tests stub freely and read JSON; the rules on untyped values would only add noise there. */
const testRules = {
  '@typescript-eslint/no-unnecessary-condition': 'off',
  '@typescript-eslint/no-unsafe-argument': 'off',
  '@typescript-eslint/no-unsafe-assignment': 'off',
  '@typescript-eslint/no-unsafe-call': 'off',
  '@typescript-eslint/no-unsafe-member-access': 'off',
  '@typescript-eslint/no-unsafe-return': 'off',
  '@typescript-eslint/unbound-method': 'off',
  complexity: 'off',
  'no-promise-executor-return': 'off',
  'rxjs-x/finnish': 'off',
  'rxjs-x/no-exposed-subjects': 'off',
  'rxjs-x/no-ignored-error': 'off',
  'rxjs-x/no-ignored-subscribe': 'off',
};

export default tseslint.config(
  { ignores: ['node_modules/', 'coverage/', 'reports/', 'dist/', 'var/', '.stryker-tmp/'] },
  { linterOptions: { noInlineConfig: true } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked, rxjs.configs.strict],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: { ...languageRules, ...typedRules, ...rxjsRules },
  },
  { files: ['src/**/*.ts', 'strategies/**/*.ts'], rules: { ...sizeRules, 'no-console': 'error' } },
  {
    files: ['src/**/*.ts', 'strategies/**/*.ts'],
    ignores: ['src/app/**'],
    rules: { 'no-restricted-syntax': ['error', subscriptionRule] },
  },
  { files: ['test/**/*.ts', 'bench/**/*.ts'], rules: testRules },
  { files: ['**/*.{js,cjs,mjs}'], rules: languageRules },
);
