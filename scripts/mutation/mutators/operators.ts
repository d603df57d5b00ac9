import ts from 'typescript';
import { replaced, type Change, type Mutator } from './change.ts';

const K = ts.SyntaxKind;

/** Each operator with the one that takes its place, and the name of the change. */
const SWAPS = new Map<ts.SyntaxKind, readonly [string, string]>([
  [K.LessThanToken, ['<=', 'bound']],
  [K.LessThanEqualsToken, ['<', 'bound']],
  [K.GreaterThanToken, ['>=', 'bound']],
  [K.GreaterThanEqualsToken, ['>', 'bound']],
  [K.EqualsEqualsEqualsToken, ['!==', 'equality']],
  [K.ExclamationEqualsEqualsToken, ['===', 'equality']],
  [K.PlusToken, ['-', 'sign']],
  [K.MinusToken, ['+', 'sign']],
  [K.AsteriskToken, ['/', 'arithmetic']],
  [K.SlashToken, ['*', 'arithmetic']],
  [K.PercentToken, ['*', 'arithmetic']],
  [K.PlusEqualsToken, ['-=', 'sign']],
  [K.MinusEqualsToken, ['+=', 'sign']],
  [K.AsteriskEqualsToken, ['/=', 'arithmetic']],
  [K.SlashEqualsToken, ['*=', 'arithmetic']],
  [K.QuestionQuestionEqualsToken, ['=', 'logic']],
  [K.AmpersandAmpersandToken, ['||', 'logic']],
  [K.BarBarToken, ['&&', 'logic']],
]);

const JOINS: ReadonlySet<ts.SyntaxKind> = new Set([
  K.AmpersandAmpersandToken,
  K.BarBarToken,
  K.QuestionQuestionToken,
]);

/** Another operator between two operands, or one operand forgotten. */
export const binary: Mutator = (node, source) => {
  if (!ts.isBinaryExpression(node)) return [];
  const { left, operatorToken, right } = node;
  const changes: Change[] = [];
  const swap = SWAPS.get(operatorToken.kind);
  if (swap !== undefined) changes.push(replaced(operatorToken, source, ...swap));
  if (JOINS.has(operatorToken.kind))
    changes.push(
      replaced(node, source, left.getText(source), 'forgotten operand'),
      replaced(node, source, right.getText(source), 'forgotten operand'),
    );
  return changes;
};

/** A sign or a negation forgotten, a count in the other direction. */
export const unary: Mutator = (node, source) => {
  if (!ts.isPrefixUnaryExpression(node) && !ts.isPostfixUnaryExpression(node)) return [];
  const operand = node.operand.getText(source);
  const count = (sign: string): string =>
    ts.isPrefixUnaryExpression(node) ? `${sign}${operand}` : `${operand}${sign}`;
  switch (node.operator) {
    case K.MinusToken:
      return [replaced(node, source, operand, 'sign')];
    case K.ExclamationToken:
      return [replaced(node, source, operand, 'negation')];
    case K.PlusPlusToken:
      return [replaced(node, source, count('--'), 'sign')];
    case K.MinusMinusToken:
      return [replaced(node, source, count('++'), 'sign')];
    default:
      return [];
  }
};

const EQUALITIES: ReadonlySet<ts.SyntaxKind> = new Set([
  K.EqualsEqualsEqualsToken,
  K.ExclamationEqualsEqualsToken,
]);

/** Whether another mutator already turns the condition around. */
const turnsElsewhere = (condition: ts.Expression): boolean =>
  (ts.isPrefixUnaryExpression(condition) && condition.operator === K.ExclamationToken) ||
  (ts.isBinaryExpression(condition) && EQUALITIES.has(condition.operatorToken.kind));

/** A condition that holds when it should not, or always. */
export const condition: Mutator = (node, source) => {
  if (!ts.isIfStatement(node)) return [];
  const { expression } = node;
  const always = replaced(expression, source, 'true', 'condition');
  if (turnsElsewhere(expression)) return [always];
  return [always, replaced(expression, source, `!(${expression.getText(source)})`, 'negation')];
};

/** `c ? a : b` with its branches swapped, or with one of them alone. */
export const branches: Mutator = (node, source) => {
  if (!ts.isConditionalExpression(node)) return [];
  const [asked, yes, no] = [node.condition, node.whenTrue, node.whenFalse].map((part) =>
    part.getText(source),
  );
  return [
    replaced(node, source, `${asked} ? ${no} : ${yes}`, 'swapped branches'),
    replaced(node, source, `(${yes})`, 'condition'),
    replaced(node, source, `(${no})`, 'condition'),
  ];
};
