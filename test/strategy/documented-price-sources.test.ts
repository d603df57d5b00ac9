import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { loadConfig } from '../../src/app/config/load.ts';
import { configuredPriceSources } from '../../src/app/config/price-sources.ts';
import { priceOf } from '../../src/domain/ladder.ts';
import type { SourceBatch } from '../../src/domain/source-price.ts';
import { priceSources } from '../../src/engine/sources/price-sources.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import {
  BUNDLED_PRICE_SOURCES,
  loadPriceSource,
  loadStrategy,
  parseOptions,
  parseParameters,
} from '../../src/strategy/loader.ts';
import { type PriceSource, rowOptions, type SourcePriceView, type z } from '../../src/strategy/sdk.ts';
import { sportEvent } from '../market/support.ts';
import { fakeInputs } from '../support/fake-source-inputs.ts';
import { hostedBy } from '../support/strategy-host.ts';
import { eventView, selectionView } from './support.ts';

const text = readFileSync(new URL('../../docs/strategies/price-sources.md', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'documented-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

const deps = {
  importModule: async (url: string) => (await import(/* @vite-ignore */ url)) as unknown,
  bundledUrl: (name: string) => new URL(`../../strategies/price-sources/${name}.ts`, import.meta.url).href,
  baseUrl: pathToFileURL(`${folder}/`).href,
};

/** The block of code in this language that has these words, written to a file. */
function blockWith(language: string, words: string): string {
  const blocks = Array.from(
    text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')),
    ([, block = '']) => block.replace(/^ {3}/gm, language === 'toml' ? '' : '   '),
  );
  const path = join(folder, `${words.replace(/\W/g, '-')}.${language === 'js' ? 'mjs' : language}`);
  writeFileSync(path, blocks.find((block) => block.includes(words)) ?? '');
  return path;
}

/** Cells of the rows of the first table after these words. */
function tableAfter(words: string): string[][] {
  const [, after = ''] = text.split(words);
  const [table = ''] = /(^\|.*\n)+/m.exec(after) ?? [];
  return table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
}

/** Rows that describe options: name, default, meaning. */
const rowsOf = (shape: Readonly<Record<string, z.ZodType>>, prefix = ''): string[][] =>
  Object.entries(shape).map(([name, option]) => {
    const fallback: unknown = option.safeParse(undefined).data;
    const isEmpty = fallback === undefined || fallback === '';
    const shown = typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
    return [`\`${prefix}${name}\``, isEmpty ? '' : `\`${shown}\``, option.description ?? ''];
  });

const shapeOf = ({ options }: PriceSource): Record<string, z.ZodType> =>
  (options as z.ZodObject<Record<string, z.ZodType>>).shape;

describe('docs/strategies/price-sources.md', () => {
  it('lists the options of rows, which every bundled source has', async () => {
    const { path, fields } = rowOptions;
    const inner = (fields.unwrap() as z.ZodObject<Record<string, z.ZodType>>).shape;
    expect(tableAfter('## Bundled sources')).toEqual([...rowsOf({ path }), ...rowsOf(inner, 'fields.')]);
    for (const name of BUNDLED_PRICE_SOURCES)
      expect(shapeOf(await loadPriceSource(name, deps))).toMatchObject(rowOptions);
  });

  it.each(BUNDLED_PRICE_SOURCES)('lists the other options of %s', async (name) => {
    const others = Object.entries(shapeOf(await loadPriceSource(name, deps))).filter(
      ([key]) => !(key in rowOptions),
    );
    expect(tableAfter(`### \`${name}\``)).toEqual(rowsOf(Object.fromEntries(others)));
  });

  it('has a configuration whose keys are those of the lines that it shows', async () => {
    const path = blockWith('toml', '[[priceSource]]');
    const { values } = loadConfig({ files: [path], environment: {}, settings: {} });
    const [source] = await configuredPriceSources(values);
    const [, line = ''] = /`(\{"key": .*?\})`/.exec(text) ?? [];
    const { key } = JSON.parse(line) as { key: string };
    const event = sportEvent({ home: 'Arsenal', away: 'Chelsea' });
    expect(source?.rules.keyOf({ marketType: 'wdw', outcome: 'h' }, event)).toBe(key);
  });

  it('has a strategy that quotes around the probabilities of the source, and says on which price', async () => {
    const strategy = await loadStrategy(blockWith('js', "name: 'follows-a-source'"), deps);
    const parameters = parseParameters(strategy, {});
    const rows = tableAfter('The strategy then quotes:');
    const prices = rows.map(([, price]) => Number(price));
    const view = (changes: Partial<SourcePriceView> = {}, missing = -1) =>
      eventView(
        prices.map((price, index) => {
          const shown = { price, ageMs: 1_240, latencyMs: 180, ...changes };
          const sourcePrices = index === missing ? {} : { odds: shown };
          return selectionView([], [], { outcome: rows[index]?.[0] ?? '', sourcePrices });
        }),
      );
    const quote = (of: ReturnType<typeof view>) => hostedBy(strategy, parameters).quote(of);
    const { intents, problems } = quote(view());
    expect(problems).toEqual([]);
    const quoted = rows.map(([name = '', price = '']) => {
      const mine = intents.filter(({ selectionId }) => selectionId.endsWith(`|${name}`));
      const at = (direction: string) =>
        mine.flatMap((intent) => (intent.direction === direction ? [String(priceOf(intent.tick))] : []))[0] ??
        '';
      return [name, price, (mine[0]?.fairProbability ?? NaN).toFixed(3), at('against'), at('for')];
    });
    expect(rows).toEqual(quoted);
    const sum = quoted.reduce((total, [, , probability]) => total + Number(probability), 0);
    expect(sum).toBeCloseTo(1, 2);
    expect(intents[0]?.reason).toBe('price 1.2 s old, took 180 ms');
    expect(quote(view({ latencyMs: null })).intents[0]?.reason).toBe('price 1.2 s old, time unknown');
    for (const unusable of [view({}, 1), view({ latencyMs: 2_001 }), view({ price: 2 }), view({ price: 4 })])
      expect(quote(unusable)).toEqual({ intents: [], problems: [] });
  });

  it('has a source of one’s own that connects', async () => {
    const source = await loadPriceSource(blockWith('js', "name: 'two-sports'"), deps);
    const clock = new VirtualClock();
    const { inputs, pages } = fakeInputs(clock);
    for (const [sport, pick] of [
      ['football', 'a'],
      ['hockey', 'b'],
    ])
      pages.set(`https://odds.test/${sport}`, { body: JSON.stringify({ odds: [{ pick, back: 2, ms: 7 }] }) });
    const batches: SourceBatch[] = [];
    const configured = { name: 'mine', source, options: parseOptions(source, { url: 'https://odds.test' }) };
    const rest = { clock, random: { next: () => 1 }, logger: silentLogger, metrics: noMetrics };
    priceSources([configured], { inputs, ...rest }).subscribe((batch) => batches.push(batch));
    await clock.advance(0);
    expect(batches).toEqual([
      {
        source: 'mine',
        prices: [
          { key: 'a', price: 2, atMs: 7 },
          { key: 'b', price: 2, atMs: 7 },
        ],
      },
    ]);
  });

  it('lists the metrics of sources', () => {
    const files = ['price-sources', 'price-source-watch'].map((name) =>
      readFileSync(new URL(`../../src/engine/sources/${name}.ts`, import.meta.url), 'utf8'),
    );
    const made = [...files.join('').matchAll(/'(touchline_source_\w+)'/g)].map(([, name]) => name);
    const listed = tableAfter('and the exchange closes every order.').map(([name]) =>
      name?.replace(/^`(\w+)\{.*$/, '$1'),
    );
    expect([...listed].sort()).toEqual([...made].sort());
  });
});
