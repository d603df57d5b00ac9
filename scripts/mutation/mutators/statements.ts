import ts from 'typescript';
import { replaced, type Mutator } from './change.ts';

const isBlockLike = (node: ts.Node): boolean =>
  ts.isBlock(node) || ts.isSourceFile(node) || ts.isCaseClause(node) || ts.isDefaultClause(node);

const isDroppable = (node: ts.Node): boolean =>
  ts.isExpressionStatement(node) ||
  ts.isThrowStatement(node) ||
  ts.isContinueStatement(node) ||
  (ts.isReturnStatement(node) && node.expression === undefined) ||
  (ts.isIfStatement(node) && node.elseStatement === undefined);

/** A statement that is forgotten. */
export const droppedStatement: Mutator = (node, source) => {
  if (!isDroppable(node)) return [];
  return [replaced(node, source, isBlockLike(node.parent) ? '' : '{}', 'dropped statement')];
};

/** A case of a switch that is forgotten. A case that runs into the next one stays. */
export const droppedCase: Mutator = (node, source) => {
  if (!ts.isCaseClause(node) || node.statements.length === 0) return [];
  const clauses = node.parent.clauses;
  const before = clauses[clauses.indexOf(node) - 1];
  if (before?.statements.length === 0) return [];
  return [replaced(node, source, '', 'dropped case')];
};

/** An await that is forgotten. At the end of a function outside of a try it changes nothing. */
export const droppedAwait: Mutator = (node, source) => {
  if (!ts.isAwaitExpression(node)) return [];
  const { parent } = node;
  if ((ts.isReturnStatement(parent) || ts.isArrowFunction(parent)) && !isInTry(node)) return [];
  return [replaced(node, source, node.expression.getText(source), 'dropped await')];
};

function isInTry(node: ts.Node): boolean {
  for (let up = node.parent; !ts.isSourceFile(up) && !ts.isFunctionLike(up); up = up.parent)
    if (ts.isTryStatement(up)) return true;
  return false;
}
