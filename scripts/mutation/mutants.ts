import ts from 'typescript';
import { call } from './mutators/calls.ts';
import type { Change, Mutator } from './mutators/change.ts';
import { binary, branches, condition, unary } from './mutators/operators.ts';
import { droppedAwait, droppedCase, droppedStatement } from './mutators/statements.ts';
import { literal, shorterList } from './mutators/values.ts';

/** A source file with one small mistake. */
export interface Mutant extends Change {
  readonly file: string;
  /** The line of the change, from 1. */
  readonly line: number;
  /** Whether the changed code runs when the module is loaded, and not when a test calls it. */
  readonly isLoaded: boolean;
}

const MUTATORS: readonly Mutator[] = [
  binary,
  unary,
  condition,
  branches,
  droppedStatement,
  droppedCase,
  droppedAwait,
  literal,
  shorterList,
  call,
];

/** All mutants of a source file, in the order of their places. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node, isLoaded: boolean): void => {
    if (isLeftOut(node, source)) return;
    for (const change of MUTATORS.flatMap((mutator) => mutator(node, source)))
      mutants.push({
        ...change,
        file,
        line: source.getLineAndCharacterOfPosition(change.start).line + 1,
        isLoaded,
      });
    const runsLater = !isLoaded || ts.isFunctionLike(node) || isFieldOfObject(node);
    ts.forEachChild(node, (child) => {
      visit(child, !runsLater);
    });
  };
  visit(source, true);
  return mutants.toSorted((a, b) => a.start - b.start);
}

const isFieldOfObject = (node: ts.Node): boolean =>
  ts.isPropertyDeclaration(node) &&
  !(node.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);

/** The source with the mistake in it. */
export const mutated = (text: string, { start, end, text: put }: Change): string =>
  text.slice(0, start) + put + text.slice(end);

/** Fields that hold a text for people. */
const TEXTS: ReadonlySet<string> = new Set([
  'help',
  'description',
  'message',
  'text',
  'title',
  'hint',
  'doc',
  'docs',
  'label',
  'note',
  'usage',
  'summary',
  'says',
  'why',
  'todo',
  'remedy',
  'example',
  'examples',
]);

const LOG_LEVELS: ReadonlySet<string> = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);

/** Code without mutants: types, imports, and what only tells people something. */
function isLeftOut(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isPropertyAssignment(node)) return TEXTS.has(node.name.getText(source));
  if (ts.isExpressionStatement(node)) return isTold(node.expression, source);
  return isTold(node, source);
}

/** Log lines, the texts of errors, and assertions of what cannot be. */
function isTold(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isNewExpression(node)) return node.expression.getText(source).endsWith('Error');
  if (!ts.isCallExpression(node)) return false;
  const called = node.expression;
  if (!ts.isPropertyAccessExpression(called))
    return ['invariant', 'assertNever', 'super'].includes(called.getText(source));
  const isLog = /(?:^|[.#])log(?:ger)?$/i.test(called.expression.getText(source));
  if (isLog && (LOG_LEVELS.has(called.name.text) || called.name.text === 'child')) return true;
  return called.name.text === 'describe';
}
