import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../src/web');
const TOKENS = 'design/tokens.css';
const sheets = globSync('**/*.css', { cwd: ROOT }).filter((file) => file !== TOKENS);
const components = globSync('**/*.{ts,tsx}', { cwd: ROOT });

const COLOUR =
  /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|light-dark)\(|:\s*(?:white|black|red|green|blue|grey|gray|orange)\b/gi;
const LENGTH = /(?<![\w.-])\d*\.?\d+(?:px|rem|em|ch|pt)\b/g;

/** The text of a style sheet that sets something: without comments and the conditions of widths and heights. */
const settingIn = (file: string): string =>
  readFileSync(path.join(ROOT, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/@(?:media|container)[^{]*/g, '');

const found = (files: readonly string[], text: (file: string) => string, what: RegExp): readonly string[] =>
  files.flatMap((file) => (text(file).match(what) ?? []).map((each) => `${file}: ${each}`));

describe('colours and sizes of the pages', () => {
  it('are set by the tokens alone', () => {
    expect(sheets.length).toBeGreaterThan(1);
    expect(found(sheets, settingIn, COLOUR)).toEqual([]);
    expect(found(sheets, settingIn, LENGTH).filter((each) => !each.endsWith(': 0px'))).toEqual([]);
  });

  it('are not in components', () => {
    const text = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
    expect(found(components, text, /['"`]#[0-9a-f]{3,8}['"`]|\brgba?\(/gi)).toEqual([]);
    expect(found(components, text, /style=\{\{.*(?:px|rem|em)\b.*\}\}/g)).toEqual([
      expect.stringContaining('components/long-table.tsx'),
    ]);
  });

  it('are tokens that exist', () => {
    const tokens = readFileSync(path.join(ROOT, TOKENS), 'utf8');
    const set = new Set((tokens.match(/--[\w-]+(?=:)/g) ?? []).map(String));
    const computed = ['--depth', '--down', '--heat'];
    const used = sheets.flatMap((file) =>
      [...settingIn(file).matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name),
    );
    expect(used.filter((name) => name !== undefined && !set.has(name) && !computed.includes(name))).toEqual(
      [],
    );
  });
});
