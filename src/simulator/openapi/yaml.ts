/** A JSON value as YAML 1.2 in block style; every string that is not plainly a word is quoted as JSON quotes it. */
export function toYaml(value: unknown): string {
  return `${block(value, '').replace(/^\n/, '')}\n`;
}

const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Words that YAML readers may take for something else. */
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
  const isPlain = typeof value === 'string' && PLAIN.test(value) && !RESERVED.test(value);
  return isPlain ? value : JSON.stringify(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
