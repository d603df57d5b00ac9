import { describe, expect, it } from 'vitest';
import { priceOf } from '../../src/domain/ladder.ts';
import { BUNDLED_STRATEGIES, loadStrategy, parseParameters } from '../../src/strategy/loader.ts';
import {
  contractsFor,
  type Direction,
  type EventView,
  fairPrice,
  fitEvent,
  handicapGrid,
  LOSS,
  type PositionView,
  type QuoteIntent,
  type SelectionView,
  type SettlementGrid,
  settlementGrid,
  type Strategy,
  topOfBook,
  totalGrid,
  weightedMid,
  WIN,
  type z,
} from '../../src/strategy/sdk.ts';
import consensus from '../../strategies/consensus.ts';
import guardedLadder from '../../strategies/guarded-ladder.ts';
import inventory from '../../strategies/inventory.ts';
import scoreGrid from '../../strategies/score-grid.ts';
import symmetric from '../../strategies/symmetric.ts';
import { hostedBy } from '../support/strategy-host.ts';
import { eventView, type Levels, selectionView } from './support.ts';
import { page, rowsUnder } from './tables.ts';

const deps = {
  importModule: async (url: string) => (await import(/* @vite-ignore */ url)) as unknown,
  bundledUrl: (name: string) => new URL(`../../strategies/${name}.ts`, import.meta.url).href,
  baseUrl: import.meta.url,
};

const when = (rule: (home: number, away: number) => boolean): SettlementGrid =>
  settlementGrid((home, away) => (rule(home, away) ? WIN : LOSS));

/** How the selections of the examples settle. */
const GRIDS: Readonly<Record<string, SettlementGrid>> = {
  home: when((home, away) => home > away),
  draw: when((home, away) => home === away),
  away: when((home, away) => home < away),
  'over 2.5': totalGrid('over', 10),
  'over 3.5': totalGrid('over', 14),
  'home -0.25': handicapGrid('home', -1),
};

/** The levels of a cell such as `100 at 2.3`; none for `none`. */
const levelsOf = (cell: string): Levels =>
  cell === 'none' ? [] : [cell.split(' at ').map(Number).toReversed() as [number, number]];

const selectionOf = (
  [forTakers = '', againstTakers = '']: readonly string[],
  changes: Partial<SelectionView> = {},
): SelectionView => selectionView(levelsOf(forTakers), levelsOf(againstTakers), changes);

/** The market of the examples with a single selection. */
const usual = (changes: Partial<SelectionView> = {}): SelectionView =>
  selectionOf(['100 at 2.3', '100 at 2.36'], changes);

const quotesOf = <P>(
  strategy: Strategy<P>,
  view: EventView,
  parameters: object = {},
): readonly QuoteIntent[] => hostedBy(strategy, parseParameters(strategy, parameters)).quote(view).intents;

/** A quote as the pages write it: `15.08 at 2.3`, or `none`. */
function written(
  intents: readonly QuoteIntent[],
  direction: Direction,
  { selectionId, level = 0 }: { readonly selectionId: string; readonly level?: number },
): string {
  const quote = intents.find(
    (each) => each.selectionId === selectionId && each.direction === direction && each.level === level,
  );
  return quote === undefined ? 'none' : `${(quote.stakeMicros / 1e6).toFixed(2)} at ${priceOf(quote.tick)}`;
}

const bothSides = (
  intents: readonly QuoteIntent[],
  place: { readonly selectionId: string; readonly level?: number },
): string[] => [written(intents, 'against', place), written(intents, 'for', place)];

const fairOf = ({ market }: SelectionView): number => {
  const top = topOfBook(market);
  return top === null ? NaN : weightedMid(top);
};

const example = (name: string): string[][] => rowsUnder(page(name), '## Example');

describe('pages of the bundled strategies', () => {
  it.each(BUNDLED_STRATEGIES)('%s lists every parameter, its default and its meaning', async (name) => {
    const strategy = await loadStrategy(name, deps);
    const defaults = parseParameters(strategy, {}) as Record<string, number | string | boolean | undefined>;
    const schema = strategy.parameters as z.ZodObject<Record<string, z.ZodType>>;
    const rows = Object.entries(schema.shape).map(([key, parameter]) => [
      `\`${key}\``,
      String(defaults[key] ?? 'none'),
      parameter.description ?? '',
    ]);
    expect(rowsUnder(page(name), '## Parameters')).toEqual(rows);
  });

  it.each(BUNDLED_STRATEGIES)('%s says how it works, when it earns and when it loses', (name) => {
    const text = page(name);
    for (const heading of ['Formula', 'Parameters', 'When it earns', 'When it loses', 'Example'])
      expect(text).toContain(`\n## ${heading}\n`);
    expect(page('README')).toContain(`[${name}](${name}.md)`);
  });
});

describe('the examples of the pages', () => {
  it('shows the quotes of symmetric', () => {
    const rows = example('symmetric');
    const computed = rows.map((row) => {
      const [forTakers = '', againstTakers = '', placement = ''] = row;
      const selection = selectionOf([forTakers, againstTakers]);
      const intents = quotesOf(symmetric, eventView([selection]), { placement });
      const fair = (1 / fairOf(selection)).toFixed(3);
      return [forTakers, againstTakers, placement, fair, ...bothSides(intents, selection)];
    });
    expect(rows).toHaveLength(5);
    expect(computed).toEqual(rows);
  });

  it('shows the quotes of inventory', () => {
    const rows = example('inventory');
    const computed = rows.map(([held = '', hours = '']) => {
      const net = Number(held) * contractsFor(20, fairOf(usual())) * 1e6;
      const selection = usual({ position: { ifWinMicros: net, ifLoseMicros: 0 } });
      const view = eventView([selection], { startsInMs: Number(hours) * 3_600_000 });
      return [held, hours, ...bothSides(quotesOf(inventory, view), selection)];
    });
    expect(rows).toHaveLength(6);
    expect(computed).toEqual(rows);
  });

  /** A view of the selections in the first three cells of each row. */
  const viewOf = (rows: readonly string[][], position: PositionView | null): EventView => {
    const selections = rows.map(([name = '', ...market]) =>
      selectionOf(market, { outcome: name, grid: GRIDS[name] ?? null }),
    );
    const [home] = selections as [SelectionView];
    const holdings =
      position === null ? [] : [{ selectionId: home.selectionId, position, grid: home.grid ?? null }];
    return eventView(selections, { holdings });
  };

  it('shows the quotes of score-grid', () => {
    const rows = example('score-grid');
    const bet = { ifWinMicros: 27.2e6, ifLoseMicros: -20e6 };
    const [flat, held] = [viewOf(rows, null), viewOf(rows, bet)].map((view) =>
      quotesOf(scoreGrid, view, { placement: 'model' }),
    ) as [readonly QuoteIntent[], readonly QuoteIntent[]];
    const computed = viewOf(rows, null).selections.map((selection, i) => [
      ...(rows[i] ?? []).slice(0, 3),
      ...[flat, held].map((intents) => bothSides(intents, selection).join(', ')),
    ]);
    expect(rows).toHaveLength(4);
    expect(computed).toEqual(rows);
  });

  it('shows the quotes of consensus', () => {
    const rows = example('consensus');
    const view = viewOf(rows, null);
    const fit = fitEvent(view, 0.2);
    const intents = quotesOf(consensus, view);
    const computed = view.selections.map((selection, i) => [
      ...(rows[i] ?? []).slice(0, 3),
      fit && selection.grid ? fairPrice(fit.grid, selection.grid).toFixed(3) : 'none',
      ...bothSides(intents, selection),
    ]);
    expect(rows).toHaveLength(6);
    expect(computed).toEqual(rows);
  });

  it('shows the quotes of guarded-ladder', () => {
    const fill = { direction: 'against', price: 2.45, stakeMicros: 20e6, ageMs: 10_000 } as const;
    const views: Readonly<Record<string, EventView>> = {
      'an hour before the start': eventView([usual()]),
      'a minute before the start': eventView([usual()], { startsInMs: 60_000 }),
      'after an `against` fill of 20 at 2.45, 10 s ago': eventView([usual({ recentFills: [fill] })]),
    };
    const rows = example('guarded-ladder');
    const computed = rows.map(([situation = '', level = '']) => {
      const view = views[situation] ?? eventView([]);
      const { selectionId } = usual();
      return [
        situation,
        level,
        ...bothSides(quotesOf(guardedLadder, view), { selectionId, level: Number(level) }),
      ];
    });
    expect(rows).toHaveLength(9);
    expect(computed).toEqual(rows);
  });
});
