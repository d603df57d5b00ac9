import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { priceOf } from '../../src/domain/odds.ts';
import { hostedBy } from '../support/strategy-host.ts';
import { BUNDLED_STRATEGIES, loadStrategy, parseParameters } from '../../src/strategy/loader.ts';
import * as sdk from '../../src/strategy/sdk.ts';
import { eventView, ownFill, selectionView } from './support.ts';

const text = readFileSync(new URL('../../docs/strategies.md', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'documented-'));
const deps = {
  importModule: async (url: string) => (await import(/* @vite-ignore */ url)) as unknown,
  bundledUrl: (name: string) => new URL(`../../strategies/${name}.ts`, import.meta.url).href,
  baseUrl: pathToFileURL(`${folder}/`).href,
};

afterAll(() => rmSync(folder, { recursive: true }));

/** Cells of the rows of the tables between a heading and the next. */
function rowsUnder(heading: string): string[][] {
  const [, ...after] = text.split(`${heading}\n`);
  const section = (after[0] ?? '').split(/^#+ /m)[0] as string;
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| -'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Loads the example with this name. */
async function exampleNamed(name: string): Promise<sdk.Strategy> {
  const examples = Array.from(text.matchAll(/```js\n([\s\S]*?)```/g), ([, example = '']) => example);
  const example = examples.find((each) => each.includes(`name: '${name}'`)) ?? '';
  writeFileSync(join(folder, `${name}.mjs`), example);
  return loadStrategy(`./${name}.mjs`, deps);
}

describe('docs/strategies.md', () => {
  it('has an example of a stream that counts its fills', async () => {
    const strategy = await exampleNamed('counts-its-fills');
    const { host, quote } = hostedBy(strategy, parseParameters(strategy, {}));
    const selection = selectionView([[2.5, 100]], []);
    const stakes = (): readonly number[] =>
      quote(eventView([selection])).intents.map(({ stakeMicros }) => stakeMicros);
    expect(stakes()).toEqual([20e6]);
    host.onFill(ownFill(1, selection.selectionId));
    expect(stakes()).toEqual([10e6]);
  });

  it('has an example that loads and quotes what it says', async () => {
    const plugin = await exampleNamed('three-way');
    const host = hostedBy(plugin, parseParameters(plugin, {}));
    const prices = [2.5, 3.3, 2.9];
    const names = ['first', 'second', 'third'];
    const view = eventView(
      prices.map((price, i) => selectionView([[price, 100]], [], { outcome: names[i] as string })),
    );
    const { intents, problems } = host.quote(view);
    expect(problems).toEqual([]);
    const rows = names.map((name) => {
      const quoted = intents.filter(({ selectionId }) => selectionId.endsWith(`|${name}`));
      const price = (direction: string): string =>
        quoted
          .filter((intent) => intent.direction === direction)
          .map(({ tick }) => String(priceOf(tick)))[0] ?? '';
      return [name, price('against'), price('for')];
    });
    expect(rowsUnder('### A complete example').slice(1)).toEqual(rows);
  });

  it.each(BUNDLED_STRATEGIES)('lists every parameter of %s, its default and its meaning', async (name) => {
    const plugin = await loadStrategy(name, deps);
    const defaults = parseParameters(plugin, {}) as Record<string, unknown>;
    const schema = plugin.parameters as sdk.z.ZodObject<Record<string, sdk.z.ZodType>>;
    const rows = Object.entries(schema.shape).map(([key, parameter]) => [
      ...[`\`${key}\``, String(defaults[key]), parameter.description ?? ''],
    ]);
    expect(rowsUnder(`### \`${name}\``).slice(1)).toEqual(rows);
  });

  it('names the SDK as TypeScript plugins import it', () => {
    const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(text).toContain("from 'touchline/strategy'");
    expect(exports['./strategy']).toBe('./src/strategy/sdk.ts');
  });

  it('names only what the SDK offers', () => {
    const names = rowsUnder('## What the SDK offers').flatMap(([, use]) => [
      ...(use ?? '').matchAll(/`(\w+)`/g),
    ]);
    expect(names.length).toBeGreaterThan(30);
    expect(names.map(([, name]) => name as string).filter((name) => !(name in sdk))).toEqual([]);
  });
});
