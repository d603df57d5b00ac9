import { basename, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { strategyFileNamed } from '../../../src/app/strategies/load.ts';
import { ConfigError } from '../../../src/domain/errors.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const FILES: Readonly<Record<string, string>> = {
  'syntax.mjs': 'const a = 1;\nconst b = ;\n',
  'types.ts': 'const a: number = 1;\n\nconst b: = 2;\n',
  'enum.ts': 'const a = 1;\nenum A { B }\n',
  'helper.mjs': 'export const known = 1;\n',
  'unknown-name.mjs': "// A helper.\nimport { unknown } from './helper.mjs';\n",
  'nested.mjs': "import './syntax.mjs';\n",
  'absent.mjs': "const a = 1;\n// nowhere.mjs\nimport './nowhere.mjs';\n",
  'package.ts': "\nimport { z } from 'no-such-package-here';\n",
  'throws.mjs': '\n\nnotDefined();\n',
  'factory.mjs': 'export default () => {\n  throw new Error("not today");\n};\n',
  'no-default.mjs': 'const a = 1;\n\nexport const quote = () => [a];\n',
  'no-export.mjs': 'const a = 1;\n',
  'wrong.mjs': 'const a = 1;\nexport default { a };\n',
};
for (const [name, text] of Object.entries(FILES)) folder.file(name, text);

/** The place of the fault in a file. */
async function placeOf(specifier: string): Promise<unknown> {
  try {
    await strategyFileNamed(specifier);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { where } = (error as ConfigError).details;
    return typeof where === 'string' ? basename(where) : where;
  }
  throw new Error('it was loaded');
}

it.each([
  ['a syntax error', 'syntax.mjs', 'syntax.mjs:2'],
  ['a syntax error in types', 'types.ts', 'types.ts:3'],
  ['syntax that Node does not strip', 'enum.ts', 'enum.ts:2'],
  ['a name that a module does not export', 'unknown-name.mjs', 'unknown-name.mjs:2'],
  ['a syntax error of an imported file', 'nested.mjs', 'syntax.mjs:2'],
  ['a file that is not there', 'absent.mjs', 'absent.mjs:3'],
  ['a package that is not installed', 'package.ts', 'package.ts:2'],
  ['an error while it is loaded', 'throws.mjs', 'throws.mjs:3'],
  ['a factory that throws', 'factory.mjs', 'factory.mjs:2'],
  ['no default export', 'no-default.mjs', 'no-default.mjs:3'],
  ['no export', 'no-export.mjs', 'no-export.mjs:1'],
  ['an export that is no strategy', 'wrong.mjs', 'wrong.mjs:2'],
])('finds the line of %s', async (_, file, where) => {
  expect(await placeOf(join(folder.path, file))).toBe(where);
});

it.each([join(folder.path, 'nothing.mjs'), 'nonsense'])(
  'finds no line where there is no file: %s',
  async (specifier) => {
    expect(await placeOf(specifier)).toBeNull();
  },
);
