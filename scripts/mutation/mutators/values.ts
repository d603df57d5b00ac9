import ts from 'typescript';
import { removed, replaced, type Mutator } from './change.ts';

const K = ts.SyntaxKind;

/** Above, one more hardly makes a difference to anybody. */
const SMALL = 10;

function otherNumber(text: string): string {
  const suffix = text.endsWith('n') ? 'n' : '';
  const value = Number(text.replaceAll('_', '').replace(/n$/, ''));
  if (value === 1) return `0${suffix}`;
  return `${value > SMALL ? value * 2 : value + 1}${suffix}`;
}

/** A text without a space is a name or a key; another one is for people. */
const isForPeople = (text: string): boolean => text === '' || /\s/.test(text);

/** Places of a text where it is no value. */
const isName = (node: ts.StringLiteral): boolean =>
  ts.isPropertyName(node) &&
  (ts.isPropertyAssignment(node.parent) || ts.isPropertyDeclaration(node.parent)) &&
  node.parent.name === node;

const isCompared = (node: ts.Node): boolean =>
  ts.isCaseClause(node.parent) || ts.isElementAccessExpression(node.parent);

/** Another number, the other boolean, no text. */
export const literal: Mutator = (node, source) => {
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) {
    if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) return [];
    return [replaced(node, source, otherNumber(node.getText(source)), 'number')];
  }
  if (node.kind === K.TrueKeyword) return [replaced(node, source, 'false', 'boolean')];
  if (node.kind === K.FalseKeyword) return [replaced(node, source, 'true', 'boolean')];
  if (!ts.isStringLiteral(node) || isForPeople(node.text) || isName(node) || isCompared(node)) return [];
  return [replaced(node, source, "''", 'no text')];
};

/** A list without one of its items or one of its spreads, an object without one of its spreads. */
export const shorterList: Mutator = (node, source) => {
  if (!ts.isArrayLiteralExpression(node) && !ts.isObjectLiteralExpression(node)) return [];
  const items: ts.NodeArray<ts.Node> = ts.isArrayLiteralExpression(node) ? node.elements : node.properties;
  const isSpread = (item: ts.Node): boolean => ts.isSpreadElement(item) || ts.isSpreadAssignment(item);
  // The mutator drops one item of a list: a long table would have more mutants than a hundred lines of code.
  const chosen = ts.isArrayLiteralExpression(node) && items.length > 0 ? node.pos % items.length : -1;
  return items.flatMap((item, at) => {
    if (isSpread(item)) return [removed(items, at, source, 'removed spread')];
    return at === chosen ? [removed(items, at, source, 'removed element')] : [];
  });
};
