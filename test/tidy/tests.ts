import ts from 'typescript';
import { descendants, place } from './project.ts';

const MARKS = new Set(['only', 'skip', 'todo', 'fails', 'skipIf']);
const TEST_FUNCTIONS = new Set(['it', 'test']);
const HOOK = /^(before|after|around)(Each|All)$/;
const ASSERTS = /^(expect|assert)/;

/** The leftmost name of a call such as `it.each(table)('name', body)`. */
function rootName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return rootName(expression.expression);
  if (ts.isCallExpression(expression)) return rootName(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return rootName(expression.tag);
  return '';
}

/** Uses of `.only`, `.skip`, `.todo` and their like on a test or a suite. */
export function marks(source: ts.SourceFile): string[] {
  const accesses = descendants(source).filter(ts.isPropertyAccessExpression);
  const suites = new Set(['describe', 'suite', ...TEST_FUNCTIONS]);
  return accesses.filter((node) => MARKS.has(node.name.text) && suites.has(rootName(node))).map(place);
}

/** The tests of a file: each call of `it` or `test` that takes a body. */
function testCalls(source: ts.SourceFile): ts.CallExpression[] {
  const calls = descendants(source).filter(ts.isCallExpression);
  return calls.filter((call) => TEST_FUNCTIONS.has(rootName(call.expression)) && call.arguments.some(isBody));
}

function isBody(node: ts.Node): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/** Names called anywhere below a node: `f` for f(), `fc` and `assert` for fc.assert(). */
function calledNames(node: ts.Node): string[] {
  const calls = descendants(node).filter(ts.isCallExpression);
  return calls.flatMap(({ expression }) => {
    const member = ts.isPropertyAccessExpression(expression) ? [expression.name.text] : [];
    return [rootName(expression), ...member];
  });
}

/** Functions of the file by name, with the names that each calls. */
function localFunctions(source: ts.SourceFile): Map<string, string[]> {
  const functions = new Map<string, string[]>();
  for (const node of descendants(source)) {
    const named =
      ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node) || ts.isMethodDeclaration(node);
    if (named && node.name !== undefined) functions.set(node.name.getText(), calledNames(node));
  }
  return functions;
}

/** Names imported from the project's own test support, which may assert for a test. */
function supportNames(source: ts.SourceFile): string[] {
  const imports = descendants(source).filter(ts.isImportDeclaration);
  const support = imports.filter(({ moduleSpecifier }) => {
    const from = ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
    return from.startsWith('.') && !/\/(src|strategies)\//.test(from);
  });
  return support.flatMap((node) =>
    descendants(node)
      .filter(ts.isIdentifier)
      .map((name) => name.text),
  );
}

/** Tests without an assertion of their own or through a function of their file or of the test support. */
export function idleTests(source: ts.SourceFile): string[] {
  const functions = localFunctions(source);
  const support = new Set(supportNames(source));
  const seen = new Set<string>();
  const asserts = (name: string): boolean => {
    if (ASSERTS.test(name) || support.has(name)) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return functions.get(name)?.some(asserts) ?? false;
  };
  const idle = testCalls(source).filter((call) => {
    seen.clear();
    return !calledNames(call).some(asserts);
  });
  return idle.map(place);
}

/**
 * Hooks that a module registers as it is loaded. They serve only the test file that loads the module first: the others
 * of the process do not load it again.
 */
export function loadedHooks(source: ts.SourceFile): string[] {
  const calls = source.statements.flatMap((statement) =>
    ts.isExpressionStatement(statement) && ts.isCallExpression(statement.expression)
      ? [statement.expression]
      : [],
  );
  return calls.filter(({ expression }) => HOOK.test(rootName(expression))).map(place);
}

/** The number of tests in a file. */
export function testCount(source: ts.SourceFile): number {
  return testCalls(source).length;
}

/** A duration that is the same on every machine. */
const isFixed = (node: ts.Expression): boolean =>
  ts.isNumericLiteral(node) || (ts.isIdentifier(node) && /_MS$/.test(node.text));

/** The values of `timeout` among the arguments of a call. */
const timeoutsIn = ({ arguments: given }: ts.CallExpression): readonly ts.Expression[] =>
  given
    .filter(ts.isObjectLiteralExpression)
    .flatMap(({ properties }) => properties)
    .filter(ts.isPropertyAssignment)
    .flatMap(({ name, initializer }) => (name.getText() === 'timeout' ? [initializer] : []));

/**
 * Bounds of tests, hooks and polls that do not grow on a slow machine, as `patient` does. `vi.waitFor` and `vi.waitUntil` wait a second, which
 * no configuration changes.
 */
export function fixedBounds(source: ts.SourceFile): string[] {
  const calls = descendants(source).filter(ts.isCallExpression);
  const fixed = calls.flatMap((call) => {
    const name = call.expression.getText().replaceAll(/\s/g, '');
    const root = rootName(call.expression);
    if (/^vi\.wait(For|Until)$/.test(name)) return [call];
    const isTest =
      (TEST_FUNCTIONS.has(root) || root === 'describe' || HOOK.test(root)) && call.arguments.some(isBody);
    if (name === 'expect.poll') return timeoutsIn(call).filter(isFixed);
    return isTest ? [...timeoutsIn(call), ...call.arguments].filter(isFixed) : [];
  });
  return fixed.map(place);
}
