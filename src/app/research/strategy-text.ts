import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The specifier of an import of a file beside the importing one. */
const BESIDE = /(?:\bfrom|\bimport)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

/** The text of a strategy with the files that it imports from beside it, in the order in which they are met. */
export function strategyText(file: string): string {
  const met = new Set([file]);
  const texts: string[] = [];
  for (const each of met) {
    const text = readFileSync(each, 'utf8');
    texts.push(text);
    for (const [, , specifier] of text.matchAll(BESIDE)) {
      const imported = resolve(dirname(each), specifier as string);
      if (existsSync(imported)) met.add(imported);
    }
  }
  return texts.join('\n');
}
