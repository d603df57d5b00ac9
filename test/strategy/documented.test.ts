import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { priceOf } from '../../src/domain/ladder.ts';
import { hostedBy } from '../support/strategy-host.ts';
import { loadStrategy, parseParameters } from '../../src/strategy/loader.ts';
import * as estimators from '../../src/strategy/estimators/index.ts';
import * as pricing from '../../src/strategy/pricing/index.ts';
import * as sdk from '../../src/strategy/sdk.ts';
import { eventView, ownFill, selectionView } from './support.ts';
import { page, rowsUnder } from './tables.ts';

const text = page('writing');
const pricingText = page('pricing');
const folder = mkdtempSync(join(tmpdir(), 'documented-'));
const deps = {
  importModule: async (url: string) => (await import(/* @vite-ignore */ url)) as unknown,
  bundledUrl: (name: string) => new URL(`../../strategies/${name}.ts`, import.meta.url).href,
  baseUrl: pathToFileURL(`${folder}/`).href,
};

afterAll(() => rmSync(folder, { recursive: true }));

/** Loads the example with this name. */
async function exampleNamed(name: string): Promise<sdk.Strategy> {
  const examples = Array.from(
    `${text}${pricingText}`.matchAll(/```js\n([\s\S]*?)```/g),
    ([, example = '']) => example,
  );
  const example = examples.find((each) => each.includes(`name: '${name}'`)) ?? '';
  writeFileSync(join(folder, `${name}.mjs`), example);
  return loadStrategy(`./${name}.mjs`, deps);
}

describe('docs/strategies/writing.md', () => {
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

  it('has an example of a strategy that hedges after each goal', async () => {
    const strategy = await exampleNamed('bounded-after-goals');
    const { quote } = hostedBy(strategy, parseParameters(strategy, { mostLoss: 20 }));
    expect(quote(eventView([])).hedges).toBeUndefined();
    const view = { ...eventView([]), inRunning: true, score: [1, 0] as const };
    expect(quote(view)).toEqual({
      intents: [],
      problems: [],
      hedges: [
        { hedge: `${view.eventId} 1-0`, goal: { kind: 'bound', boundMicros: 20e6 }, reason: 'after a goal' },
      ],
    });
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
    expect(rowsUnder(text, '## A complete example')).toEqual(rows);
  });

  it('names the SDK as TypeScript plugins import it', () => {
    const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(text).toContain("from 'touchline/strategy'");
    expect(exports['./strategy']).toBe('./src/strategy/sdk.ts');
  });

  it('names only what the SDK offers', () => {
    const names = rowsUnder(text, '## What the SDK offers').flatMap(([, use]) => [
      ...(use ?? '').matchAll(/`(\w+)`/g),
    ]);
    expect(names.length).toBeGreaterThan(30);
    expect(names.map(([, name]) => name as string).filter((name) => !(name in sdk))).toEqual([]);
  });
});

describe('docs/strategies/pricing.md', () => {
  it('names every function of the pricing library and every estimator', () => {
    const cells = [...pricingText.matchAll(/^\| (`[^|]*`) *\|/gm)].map(([, cell]) => cell as string);
    const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name as string));
    expect(named.sort()).toEqual([...Object.keys(pricing), ...Object.keys(estimators)].sort());
  });

  /** A minute of views, in each of which the price steps up and down by so many ticks every ten seconds. */
  const minute = (fromS: number, step: number): sdk.EventView[] =>
    Array.from({ length: 60 }, (_, s) => {
      const shift = step * (Math.floor(s / 10) % 2);
      const selection = selectionView([[2.5 + shift, 100]], [[2.6 + shift, 100]], {
        position: { ifWinMicros: 150e6, ifLoseMicros: -100e6 },
      });
      return eventView([selection], { nowMs: 1_700_000_000_000 + 1000 * (fromS + s) });
    });

  it('has an example that quotes by the volatility that it measures, and remembers it over a restart', async () => {
    const strategy = await exampleNamed('flat-by-start');
    const first = hostedBy(strategy, parseParameters(strategy, {}));
    const tickOf = ({ intents }: ReturnType<typeof first.quote>, direction: string): number =>
      intents.find((intent) => intent.direction === direction)?.tick ?? NaN;
    const [earliest, ...calm] = minute(0, 0.02) as [sdk.EventView, ...sdk.EventView[]];
    expect(first.quote(earliest).intents).toEqual([]);
    calm.forEach(first.quote);
    const quiet = first.quote(minute(60, 0)[0] as sdk.EventView);
    minute(61, 0.1).forEach(first.quote);
    const now = minute(121, 0)[0] as sdk.EventView;
    const wild = first.quote(now);
    // Long, it wants higher prices the more they move.
    expect(tickOf(wild, 'for')).toBeGreaterThan(tickOf(quiet, 'for'));
    expect(tickOf(quiet, 'for')).toBeGreaterThan(tickOf(quiet, 'against'));

    const restarted = hostedBy(strategy, parseParameters(strategy, {}));
    for (const state of first.host.save()) restarted.host.restore(JSON.parse(JSON.stringify(state)));
    const later = { ...now, nowMs: now.nowMs + 1000 };
    expect(restarted.quote(later)).toEqual(first.quote(later));
    expect(restarted.quote(later).intents).toHaveLength(2);
  });
});
