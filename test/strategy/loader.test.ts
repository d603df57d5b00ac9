import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError } from '../../src/domain/errors.ts';
import type { Strategy } from '../../src/strategy/contract.ts';
import { BUNDLED_STRATEGIES, loadStrategy, parseParameters } from '../../src/strategy/loader.ts';

const folder = mkdtempSync(join(tmpdir(), 'strategies-'));
const deps = {
  importModule: async (url: string) => (await import(/* @vite-ignore */ url)) as unknown,
  bundledUrl: (name: string) => new URL(`../../strategies/${name}.ts`, import.meta.url).href,
  baseUrl: pathToFileURL(`${folder}/`).href,
};

const FILES: Readonly<Record<string, string>> = {
  'factory.mjs': `export default ({ defineStrategy, z }) =>
    defineStrategy({ name: 'mine', description: 'd', parameters: z.strictObject({ edge: z.number() }), quote: () => [] });`,
  'fragile.mjs': `export default ({ defineStrategy, z }) => defineStrategy({ name: 'fragile', description: 'd', quote: () => [],
    parameters: z.looseObject({}).refine(({ lines }) => lines.length > 0) });`,
  'empty.mjs': 'export const quote = () => [];',
  'text.mjs': 'export default "a plugin";',
  'partial.mjs': 'export default { name: "", description: "d", quote: 1 };',
  'old.mjs': `export default ({ z }) => ({ name: 'old', description: 'd', parameters: z.any(), quote: () => [] });`,
  'future.mjs': `export default ({ defineStrategy, z }) =>
    ({ ...defineStrategy({ name: 'new', description: 'd', parameters: z.any(), quote: () => [] }), contract: 2 });`,
  'both.mjs': `export default ({ defineStrategy, z }) =>
    defineStrategy({ name: 'both', description: 'd', parameters: z.any(), quote: () => [], quotes: () => [] });`,
  'throws.mjs': 'export default () => { throw new Error("not today"); };',
  'syntax.mjs': 'export default {',
  'dangling.mjs': 'import "./nowhere.mjs"; export default {};',
};

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('loading a strategy', () => {
  it.each(BUNDLED_STRATEGIES)('finds the bundled %s, whose parameters all have defaults', async (name) => {
    const plugin = await loadStrategy(name, deps);
    expect(plugin.name).toBe(name);
    expect(parseParameters(plugin, undefined)).toBeTypeOf('object');
  });

  it('finds any file by its path, and passes the SDK to a factory', async () => {
    for (const path of ['./factory.mjs', join(folder, 'factory.mjs'), 'factory.mjs']) {
      expect((await loadStrategy(path, deps)).name).toBe('mine');
    }
  });

  it('reads a path as it is written, and an address as an address', async () => {
    const path = join(folder, '50% #2?.mjs');
    const asked: string[] = [];
    const importModule = async (url: string): Promise<unknown> => {
      asked.push(fileURLToPath(url));
      return deps.importModule(pathToFileURL(join(folder, 'factory.mjs')).href);
    };
    for (const named of ['./50% #2?.mjs', path, pathToFileURL(path).href])
      await loadStrategy(named, { ...deps, importModule });
    expect(asked).toEqual([path, path, path]);
  });

  it.each([
    ['nonsense', /"nonsense" is neither bundled \(symmetric, /],
    ['./empty.mjs', /has no default export/],
    ['./text.mjs', /does not export a strategy/],
    [
      './partial.mjs',
      /name must be a text that is not empty, parameters must be a zod schema, exactly one of quote and quotes must be/,
    ],
    ['./old.mjs', /names no contract: export what defineStrategy returns/],
    ['./future.mjs', /is written for contract 2, and this Touchline runs contract 1/],
    ['./both.mjs', /exactly one of quote and quotes must be a function/],
    ['./throws.mjs', /has a default export that threw: not today/],
    ['./syntax.mjs', /cannot be loaded: /],
    ['./dangling.mjs', /cannot be loaded: .*nowhere\.mjs/],
  ])('reports what is wrong with %s', async (path, message) => {
    const failure = loadStrategy(path, deps);
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toBeInstanceOf(ConfigError);
  });

  it('reports where it looked for a file that is not there', () => {
    const loader = new URL('../../src/strategy/loader.ts', import.meta.url).href;
    const script = `const { loadStrategy } = await import(${JSON.stringify(loader)});
      const importModule = (url) => import(url);
      const deps = { importModule, bundledUrl: (name) => 'file:///' + name + '.ts', baseUrl: ${JSON.stringify(deps.baseUrl)} };
      await loadStrategy('./missing.mjs', deps).catch(({ code, message }) => console.log(code, message));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(printed).toMatch(/^config strategy ".\/missing.mjs" not found at file:.*missing.mjs/);
  });

  it('names each bad parameter and its value', async () => {
    const plugin = await loadStrategy('./factory.mjs', deps);
    expect(() => parseParameters(plugin, { edge: 'wide', egde: 1 })).toThrow(
      'strategy mine: edge = "wide": must be a number\n' +
        'strategy mine: parameters: there is no "egde" (did you mean "edge"?)',
    );
    expect(() => parseParameters(plugin, undefined)).toThrow(/edge = nothing: /);
    expect(parseParameters(plugin, { edge: 2 })).toEqual({ edge: 2 });
  });

  it.each([
    [z.number().max(1), 5, 'must be at most 1'],
    [z.number().lt(1), 5, 'must be below 1'],
    [z.number().min(0.5), 0, 'must be at least 0.5'],
    [z.number().positive(), 0, 'must be above 0'],
    [z.int(), 0.5, 'must be a whole number'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.string(), 1, 'must be a text'],
    [z.string().min(1), '', 'must have at least 1 characters'],
    [z.array(z.number()), 1, 'must be a list'],
    [z.array(z.number()).max(1), [1, 2], 'must have at most 1 items'],
    [z.record(z.string(), z.number()), 1, 'must be a table'],
    [z.enum(['model', 'join']), 'none', 'must be one of "model", "join"'],
    [z.literal('model'), 'none', 'must be "model"'],
    [z.number().refine((value) => value > 1, 'is too dear'), 1, 'is too dear'],
  ])('says in plain words what a schema refuses: %#', (schema, value, words) => {
    const plugin = { name: 'mine', parameters: z.strictObject({ x: schema }) } as unknown as Strategy;
    const shown = JSON.stringify(value);
    expect(() => parseParameters(plugin, { x: value })).toThrow(`strategy mine: x = ${shown}: ${words}`);
  });

  it('refuses parameters that the plugin fails on', async () => {
    const plugin = await loadStrategy('./fragile.mjs', deps);
    expect(() => parseParameters(plugin, {})).toThrow(ConfigError);
    expect(() => parseParameters(plugin, {})).toThrow(
      /strategy fragile: the schema of its parameters threw: /,
    );
    expect(parseParameters(plugin, { lines: [1] })).toEqual({ lines: [1] });
  });
});
