import ts from 'typescript';
import { parse } from '../tidy/project.ts';

/** An example of a document, and where it stands there. */
export interface Example {
  readonly name: string;
  readonly code: string;
}

/** A statement of an example whose comment says its value. */
interface Claim {
  readonly statement: ts.Statement;
  /** The expression that has the value, as text. */
  readonly expression: string;
  readonly text: string;
}

/**
 * The code as a block that calls `claim(name, value, text)` for each statement whose comment on the same line is a literal,
 * such as `priceOf(99); // 2`.
 */
export function checkedBlock({ name, code }: Example): string {
  const source = parse(`${name}.ts`, code);
  const claims = source.statements.flatMap((statement) => claimsOf(source, statement));
  let text = code;
  for (const { statement, expression, text: value } of claims.toReversed()) {
    const call = ` claim(${JSON.stringify(name)}, ${expression}, ${JSON.stringify(value)});`;
    const from = ts.isExpressionStatement(statement) ? statement.getStart() : statement.end;
    text = text.slice(0, from) + call + text.slice(statement.end);
  }
  return `{ // ${name}\n${text}\n}`;
}

function claimsOf(source: ts.SourceFile, statement: ts.Statement): Claim[] {
  const [, text = ''] = /^[ ;]*\/\/ (.+)/.exec(source.text.slice(statement.end)) ?? [];
  if (literalOf(text) === null) return [];
  if (ts.isExpressionStatement(statement))
    return [{ statement, expression: statement.expression.getText(), text }];
  if (!ts.isVariableStatement(statement)) return [];
  const [declared] = statement.declarationList.declarations;
  return declared === undefined ? [] : [{ statement, expression: declared.name.getText(), text }];
}

/** The syntax tree of a literal; null if the text is none. */
function literalOf(text: string): ts.Expression | null {
  const { statements } = parse('literal.ts', `(${text}\n);`);
  const [first, ...others] = statements;
  if (first === undefined || others.length > 0 || !ts.isExpressionStatement(first)) return null;
  const expression = bare(first.expression);
  return isLiteral(expression) ? expression : null;
}

const bare = (expression: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(expression) ? bare(expression.expression) : expression;

function isLiteral(node: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isLiteral);
  if (ts.isObjectLiteralExpression(node))
    return node.properties.every((each) => ts.isPropertyAssignment(each) && isLiteral(each.initializer));
  return isNumber(node) || ts.isStringLiteral(node) || node.getText() in WORDS;
}

const isNumber = (node: ts.Expression): boolean =>
  ts.isNumericLiteral(node) || (ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand));

const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null, undefined };

/** A value that a text claims, and the actual value with its numbers rounded to the decimals of the text. */
export function comparable(
  text: string,
  actual: unknown,
): { readonly claimed: unknown; readonly actual: unknown } {
  const literal = literalOf(text);
  if (literal === null) throw new Error(`not a literal: ${text}`);
  return { claimed: valueOf(literal), actual: rounded(actual, literal) };
}

function valueOf(node: ts.Expression): unknown {
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(valueOf);
  if (ts.isObjectLiteralExpression(node))
    return Object.fromEntries(assignments(node).map(([key, value]) => [key, valueOf(value)]));
  if (ts.isStringLiteral(node)) return node.text;
  return isNumber(node) ? Number(node.getText()) : WORDS[node.getText()];
}

const assignments = (node: ts.ObjectLiteralExpression): (readonly [string, ts.Expression])[] =>
  node.properties
    .filter(ts.isPropertyAssignment)
    .map(({ name, initializer }) => [name.getText(), initializer] as const);

/** The parts of a value that have no counterpart in the literal stay as they are. */
function rounded(actual: unknown, node: ts.Expression | undefined): unknown {
  if (node === undefined || typeof actual === 'string') return actual;
  if (typeof actual === 'number' && isNumber(node)) {
    const [, decimals = ''] = node.getText().split('.');
    return Number(actual.toFixed(decimals.length));
  }
  if (Array.isArray(actual) && ts.isArrayLiteralExpression(node))
    return actual.map((each, i) => rounded(each, node.elements[i]));
  if (typeof actual === 'object' && actual !== null && ts.isObjectLiteralExpression(node)) {
    const parts = new Map(assignments(node));
    return Object.fromEntries(
      Object.entries(actual).map(([key, value]) => [key, rounded(value, parts.get(key))]),
    );
  }
  return actual;
}
