import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** The project's root folder. */
export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Files of the project by glob patterns, relative to the root, with forward slashes, in order. */
export function projectFiles(...patterns: string[]): string[] {
  const found = globSync(patterns, { cwd: ROOT, exclude: ['node_modules/**'] });
  return found.map((file) => file.replaceAll(path.sep, '/')).sort();
}

/** Every module of the product. */
export const PRODUCT_MODULES = projectFiles('src/**/*.{ts,tsx}', 'strategies/**/*.ts');

export function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** The syntax tree of a text, with parent nodes. */
export function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

/** The node and everything below it, in the order of the text. */
export function descendants(node: ts.Node): readonly ts.Node[] {
  const all: ts.Node[] = [];
  const collect = (each: ts.Node): void => {
    all.push(each);
    ts.forEachChild(each, collect);
  };
  collect(node);
  return all;
}

/** `file:line: text` of a node, for messages. */
export function place(node: ts.Node): string {
  const source = node.getSourceFile();
  const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  return `${source.fileName}:${line}: ${node.getText().split('\n')[0] ?? ''}`;
}

/** The module names that a file imports or exports from, type-only and dynamic ones included. */
export function importedNames(source: ts.SourceFile): string[] {
  return descendants(source).flatMap((node) => {
    const specifier = specifierOf(node);
    return specifier !== undefined && ts.isStringLiteralLike(specifier) ? [specifier.text] : [];
  });
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return node.arguments[0];
  }
  return undefined;
}
