/** What views of the whole daemon on a recorded market tell beside prices to take. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundledConfig } from '../../../../src/app/adapters/own-files.ts';
import { loadConfig } from '../../../../src/app/config/load.ts';
import { riskLimitsOf } from '../../../../src/app/config/part-options.ts';
import { playSession } from '../../../../src/app/research/full/session.ts';
import type { EventView, SelectionView } from '../../../../src/domain/event-view.ts';
import { tickOf } from '../../../../src/domain/ladder.ts';
import { levelsOf } from '../../../../src/domain/price-list.ts';
import { FILL_MODELS } from '../../../../src/fills/scenarios.ts';
import type { EventTape } from '../../../../src/research/tape.ts';
import { closed, open, type Step, suspended, TAPE_START_MS, tapeOf } from '../../../support/tapes.ts';

declare global {
  /** A strategy is a file of its own; it leaves here what it saw. */
  var seenViews: EventView[];
}

let folder = '';
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'touchline-told-'))));
afterEach(() => {
  rmSync(folder, { recursive: true });
  globalThis.seenViews = [];
});

const WATCHING = `export default ({ defineStrategy, z }) =>
  defineStrategy({
    name: 'watching',
    description: 'shows its views to a test, and backs far above the market',
    parameters: z.unknown(),
    quote(view) {
      globalThis.seenViews.push(view);
      return view.selections.slice(0, 1).map(({ selectionId }) => ({
        ...{ selectionId, direction: 'for', tick: ${tickOf(2.08)}, stakeMicros: 20e6, level: 0 },
      }));
    },
  });
`;
const SOURCE = `
[[priceSource]]
name = "file"
as = "mine"
staleAfterS = 60
key = "{home} v {away}|{outcome}"

[priceSource.options]
file = "nowhere.jsonl"
fields = { key = "{key}", price = "price" }
`;

const STEPS: readonly Step[] = [
  [0, 'state', open, 1_000],
  [0, 'for', 2.06, 500],
  [0, 'for', 2.08, 300],
  [0, 'for', 2.1, 300],
  [0, 'against', 1.96, 500],
  [20_000, 'trade for', 2.06, 40],
  [20_000, 'for', 2.06, 460],
  [30_000, 'state', suspended, 1_000],
  [40_000, 'state', open, 1_000],
  [60_000, 'state', closed],
];

const TAPE: EventTape = {
  ...tapeOf(STEPS),
  scores: [{ atMs: TAPE_START_MS + 15_000, score: [2, 1], redCards: null, clock: null }],
  sourcePrices: [{ arrivedMs: TAPE_START_MS + 10_000, source: 'mine', key: 'Home v Away|h', price: 2.02 }],
};

it('are the trades, the delay, the suspension, the score and the prices of sources of the recording', async () => {
  const [strategy, toml] = [path.join(folder, 'watching.mjs'), path.join(folder, 'source.toml')];
  writeFileSync(strategy, WATCHING);
  writeFileSync(toml, SOURCE);
  globalThis.seenViews = [];
  const { values: config } = loadConfig({
    files: [bundledConfig('simulated'), toml],
    environment: {},
    settings: { 'universe.marketTypes': '', 'strategy.name': strategy, 'strategy.parameters.halfSpread': '' },
  });
  await playSession({
    config: { ...config, strategy: { ...config.strategy, parameters: {} } },
    tapes: [TAPE],
    fillModel: FILL_MODELS.queue,
    limits: riskLimitsOf(config),
    commission: null,
    seed: 3,
    balanceMicros: 10_000e6,
    requestLatencyMs: 20,
    feedLatencyMs: 20,
    fromMs: null,
    toMs: null,
    onTime: () => undefined,
  });
  const at = (ms: number): { readonly view: EventView; readonly selection: SelectionView } => {
    const view = globalThis.seenViews.findLast(({ nowMs }) => nowMs <= TAPE_START_MS + ms);
    const selection = view?.selections[0];
    if (view === undefined || selection === undefined) throw new Error(`no view until ${ms}`);
    return { view, selection };
  };
  const before = at(9_000);
  expect(before.selection).toMatchObject({ lastTraded: null, tradedVolume: [], betDelayMs: 1_000 });
  expect(before.selection).toMatchObject({ suspension: 'none', betDelayModels: null, sourcePrices: {} });
  expect(before.view.score).toBeNull();
  const after = at(29_000);
  expect(after.selection.lastTraded).toBe(2.06);
  expect(levelsOf(after.selection.tradedVolume ?? [])).toMatchObject([{ price: 2.06, maxMicros: 40e6 }]);
  expect(after.view.score).toEqual([2, 1]);
  expect(after.selection.sourcePrices['mine']?.price).toBe(2.02);
  expect(at(36_000).selection.suspension).toBe('exchange');
  const quotes = globalThis.seenViews.flatMap(({ selections }) => selections[0]?.quotes ?? []);
  expect(new Set(quotes.map(({ phase }) => phase))).toEqual(
    new Set(['sent', 'delayed', 'resting', 'closing']),
  );
  for (const { phase, aheadMicros } of quotes) {
    const isInBook = phase === 'resting' || phase === 'closing';
    expect(isInBook ? [300e6, null] : [null]).toContain(aheadMicros);
  }
  expect(quotes.map(({ aheadMicros }) => aheadMicros)).toContain(300e6);
});
