import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { ConfigError } from '../../src/domain/errors.ts';
import type { SourceBatch } from '../../src/domain/source-price.ts';
import { priceSources } from '../../src/engine/sources/price-sources.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import { BUNDLED_PRICE_SOURCES, loadPriceSource, parseOptions } from '../../src/strategy/loader.ts';
import { pricesInRows, type RowOptions } from '../../src/strategy/sdk.ts';
import { fakeInputs } from '../support/fake-source-inputs.ts';

const folder = mkdtempSync(join(tmpdir(), 'price-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

const deps = {
  importModule: async (url: string) => (await import(/* @vite-ignore */ url)) as unknown,
  bundledUrl: (name: string) => new URL(`../../strategies/price-sources/${name}.ts`, import.meta.url).href,
  baseUrl: pathToFileURL(`${folder}/`).href,
};

/** Runs a bundled source with these options. */
async function running(name: string, options: object) {
  const clock = new VirtualClock();
  const fake = fakeInputs(clock);
  const source = await loadPriceSource(name, deps);
  const batches: SourceBatch[] = [];
  const logged: string[] = [];
  const keep = (message: string): void => void logged.push(message);
  const configured = { name: 'odds', source, options: parseOptions(source, options) };
  priceSources([configured], {
    inputs: fake.inputs,
    clock,
    random: { next: () => 1 },
    metrics: noMetrics,
    logger: { ...silentLogger, info: keep, warn: keep },
  }).subscribe((batch) => batches.push(batch));
  const prices = () => batches.splice(0).flatMap((batch) => batch.prices);
  return { ...fake, clock, logged, prices };
}

const URL_ = 'https://odds.test/all';

describe('the bundled source http-json', () => {
  it('polls the list at a path, with headers', async () => {
    const options = { url: URL_, everyS: 2, path: 'data.odds', headers: { 'x-key': 'k' } };
    const { pages, requests, clock, prices } = await running('http-json', {
      ...options,
      fields: { key: '{home} v {away}|{pick}', price: 'odds.back', time: 'at' },
    });
    const row = { home: 'A', away: 'B', pick: 1, odds: { back: '2.10' }, at: '2026-11-21T12:00:00Z' };
    pages.set(URL_, { body: JSON.stringify({ data: { odds: [row, { ...row, odds: { back: null } }] } }) });
    await clock.advance(0);
    const [key, atMs] = ['A v B|1', Date.parse('2026-11-21T12:00:00Z')];
    expect(prices()).toEqual([
      { key, price: 2.1, atMs },
      { key, price: null, atMs },
    ]);
    await clock.advance(4_000);
    expect(requests).toHaveLength(3);
    expect(requests[0]).toEqual({ url: URL_, headers: { 'x-key': 'k' } });
  });

  it('connects again after an answer without a list', async () => {
    const { pages, clock, prices, logged } = await running('http-json', { url: URL_, path: 'data' });
    pages.set(URL_, { body: '{"error":"busy"}' });
    await clock.advance(500);
    expect(logged[0]).toContain('the answer has no list at path "data"');
    pages.set(URL_, { body: '{"data":[{"key":"a","price":2}]}' });
    await clock.advance(1_000);
    expect(prices()).toEqual([{ key: 'a', price: 2 }]);
  });

  it('asks no second time while an answer is late', async () => {
    const { pages, requests, clock } = await running('http-json', { url: URL_, everyS: 1, timeoutS: 5 });
    pages.set(URL_, { body: '', stalls: true });
    await clock.advance(4_900);
    expect(requests).toHaveLength(1);
    await clock.advance(1_100);
    expect(requests).toHaveLength(2);
  });
});

describe('the bundled source websocket', () => {
  it('greets, reads rows of each message, and ignores messages without rows', async () => {
    const { sockets, clock, prices } = await running('websocket', {
      url: 'wss://odds.test/',
      hello: [{ op: 'subscribe' }],
      path: 'prices',
    });
    await clock.advance(0);
    expect(sockets[0]).toMatchObject({ url: 'wss://odds.test/', received: ['{"op":"subscribe"}'] });
    for (const text of ['{"type":"pong"}', 'pong', '{"prices":[{"key":"a","price":2}]}'])
      sockets[0]?.send(text);
    sockets[0]?.send('{"prices":{"key":"b","price":3}}');
    await clock.advance(100);
    expect(prices()).toEqual([
      { key: 'a', price: 2 },
      { key: 'b', price: 3 },
    ]);
  });

  it('opens the connection again when it closes or is silent', async () => {
    const { sockets, clock } = await running('websocket', { url: 'ws://odds.test/', silentS: 5 });
    await clock.advance(0);
    sockets[0]?.close();
    await clock.advance(1_000);
    expect(sockets).toHaveLength(2);
    await clock.advance(8_000);
    expect(sockets).toHaveLength(3);
  });
});

describe('the bundled source file', () => {
  it('reads a row or a list of rows from each line, and leaves out what is no JSON', async () => {
    const { append, clock, prices, logged } = await running('file', { file: '/odds.jsonl' });
    append(
      '/odds.jsonl',
      '{"key":"a","price":2}\nhalf a li\n[{"key":"b","price":3},{"key":"c","price":4}]\n',
    );
    await clock.advance(100);
    expect(prices().map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(logged).toEqual(['a line of the price file is no JSON; it was left out']);
  });
});

describe('rows', () => {
  const fields = { key: '{a.b}-{c}', price: 'p', time: 't' };
  const read = (message: unknown, changes: Partial<RowOptions> = {}) =>
    pricesInRows(message, { path: '', fields, ...changes });

  it.each([
    [{ a: { b: 'x' }, c: 7, p: 2, t: 5 }, [{ key: 'x-7', price: 2, atMs: 5 }]],
    [{ a: { b: 'x' }, c: 'y', p: '1.5' }, [{ key: 'x-y', price: 1.5 }]],
    [{ a: { b: 'x' }, c: 'y', p: 'evens', t: 'noon' }, [{ key: 'x-y', price: NaN, atMs: NaN }]],
    [{ a: 'x', c: 'y', p: 2 }, [{ key: '', price: 2 }]],
    [[], []],
    ['text', null],
    [null, null],
  ])('of %j are %j', (message, prices) => {
    expect(read(message)).toEqual(prices);
  });

  it('are found only in fields of their own', () => {
    expect(read({}, { path: 'constructor' })).toBeNull();
  });
});

describe('loading a price source', () => {
  const FILES: Readonly<Record<string, string>> = {
    'mine.mjs': `export default ({ definePriceSource, rxjs, z }) => definePriceSource({ name: 'mine', description: 'd',
      options: z.strictObject({ url: z.string() }), connect: () => rxjs.NEVER });`,
    'strategy.mjs': `export default ({ defineStrategy, z }) =>
      defineStrategy({ name: 'mine', description: 'd', parameters: z.any(), quote: () => [] });`,
    'old.mjs': `export default ({ z }) => ({ name: 'old', description: 'd', options: z.any(), connect: () => null });`,
    'future.mjs': `export default ({ definePriceSource, z }) => ({ ...definePriceSource({ name: 'new', description: 'd',
      options: z.any(), connect: () => null }), contract: 2 });`,
  };
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);

  it.each(BUNDLED_PRICE_SOURCES)('finds the bundled %s', async (name) => {
    expect((await loadPriceSource(name, deps)).name).toBe(name);
  });

  it.each([
    ['nonsense', /price source "nonsense" is neither bundled \(http-json, websocket, file\) nor a path/],
    ['./strategy.mjs', /is not a price source: options must be a zod schema, connect must be a function/],
    ['./old.mjs', /names no contract: export what definePriceSource returns/],
    ['./future.mjs', /is written for contract 2, and this Touchline runs contract 1/],
  ])('reports what is wrong with %s', async (path, message) => {
    const failure = loadPriceSource(path, deps);
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toBeInstanceOf(ConfigError);
  });

  it('names each bad option and its value', async () => {
    const source = await loadPriceSource('./mine.mjs', deps);
    expect(() => parseOptions(source, { url: 7, urn: 1 })).toThrow(
      'price source mine: url = 7: must be a text\n' +
        'price source mine: options: there is no "urn" (did you mean "url"?)',
    );
  });
});
