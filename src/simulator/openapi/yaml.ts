/**
 * A JSON value as YAML 1.2 in block style. Words and paths have no quotes, so that people and line-based tools find them.
 * Every other string is quoted as in JSON.
 */
export function toYaml(value: unknown): string {
  return `${block(value, '').replace(/^\n/, '')}\n`;
}

const WORD = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** A scalar in block style may hold braces. Colons, hashes and a final space are not allowed everywhere. */
const PATH = /^\/[A-Za-z0-9_./{}-]*$/;
/** Words that YAML readers may take for other values. */
const RESERVED = /^(true|false|null|yes|no|on|off|y|n)$/i;

function block(value: unknown, indent: string): string {
  if (Array.isArray(value) && value.length > 0)
    return lines(
      value.map((item) => ['-', item]),
      indent,
    );
  if (isObject(value) && Object.keys(value).length > 0) {
    return lines(
      Object.entries(value).map(([key, item]) => [`${scalar(key)}:`, item]),
      indent,
    );
  }
  return ` ${scalar(value)}`;
}

function lines(items: readonly (readonly [head: string, item: unknown])[], indent: string): string {
  return items.map(([head, item]) => `\n${indent}${head}${block(item, `${indent}  `)}`).join('');
}

function scalar(value: unknown): string {
  return typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value);
}

function isPlain(text: string): boolean {
  return PATH.test(text) || (WORD.test(text) && !RESERVED.test(text));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
