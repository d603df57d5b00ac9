import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/app/config/load.ts';
import type { EventName } from '../../src/domain/events.ts';
import { eventId, sport } from '../../src/domain/ids.ts';
import { toMicros } from '../../src/domain/money.ts';
import type { StrategyTable } from '../sim/plan.ts';
import { CalmDay } from '../support/calm-day.ts';

const PLUGIN = 'test/support/one-sided-strategy.ts';
const BACKS: StrategyTable = { name: PLUGIN, as: 'backs', parameters: { side: 'for' } };
const LAYS: StrategyTable = { name: PLUGIN, as: 'lays', parameters: { side: 'against' } };

const DAY = {
  world: { events: 8 },
  daemon: { marketTypes: ['wdw'], maxSelections: 6 },
  settings: { 'universe.sports': 'fb' },
};

const HOUR_MS = 3_600_000;

/** A day whose strategies divide the events by competition: `backs` has that of the first event, `lays` has the others. */
async function begun(backs: Partial<StrategyTable> = {}): Promise<CalmDay> {
  const strategies: StrategyTable[] = [];
  const day = new CalmDay({ ...DAY, daemon: { ...DAY.daemon, strategies } });
  const { startMs } = day.world;
  const [first] = day.world
    .inspectEvents()
    .filter((event) => event.sport === 'fb' && (event.startTimeMs ?? 0) > startMs + HOUR_MS);
  strategies.push({ ...BACKS, match: { competitions: [`${first?.competitionId}`] }, ...backs }, LAYS);
  await day.begin();
  await day.until('quotes of both', () => sidesOpen(day).length === 2);
  return day;
}

const sideOf = ({ betType }: { readonly betType: string }): string => betType.split(',')[0] ?? '';

const sidesOpen = (day: CalmDay): readonly string[] => [...new Set(day.open().map(sideOf))].toSorted();

const eventsOf = (day: CalmDay, side: string): readonly EventName[] =>
  day
    .open()
    .filter((order) => sideOf(order) === side)
    .map((order) => ({ sport: sport(order.sport), eventId: eventId(order.eventId) }));

interface Why {
  readonly selectionId: string;
  readonly reason: { readonly for: string | null };
  readonly verdicts: readonly { readonly message: string }[];
}

/** Sets the day's own configuration with other settings of one strategy. */
function change(
  day: CalmDay,
  name: string,
  settings: (table: Config['tables']['strategy'][number]) => object,
): void {
  const { config, composed } = day.run;
  const strategy = config.tables.strategy.map((table) =>
    table.as === name ? { ...table, ...settings(table) } : table,
  );
  composed.prepare({ ...config, tables: { ...config.tables, strategy } })();
}

describe('several strategies on one account', () => {
  it('quote their own events, under their own names, also after a crash', async () => {
    const day = await begun();
    const { strategies } = day.run.composed.core;
    const owners = (side: string) => new Set(eventsOf(day, side).map((event) => strategies.ownerOf(event)));
    expect([owners('for'), owners('against')]).toEqual([new Set(['backs']), new Set(['lays'])]);
    const owned = eventsOf(day, 'for');
    await day.crash();
    await day.begin();
    const again = day.run.composed.parts.core.strategies;
    expect(new Set(owned.map((event) => again.ownerOf(event)))).toEqual(new Set(['backs']));
    await day.until('quotes of both', () => sidesOpen(day).length === 2);
  });

  it('stop one by one: a loss stop halts the events of its strategy alone', async () => {
    const day = await begun({ loss: { dayUsdt: 10, fromPeakUsdt: 10 } });
    const { core } = day.run.composed;
    for (const strategy of ['backs', 'lays'])
      for (const usdt of [0, -50])
        core.apply({ kind: 'profit', of: { kind: 'strategy', strategy }, totalMicros: toMicros(usdt) });
    await day.until('the loser is out', () => !sidesOpen(day).includes('for'));
    await day.pass(20_000);
    expect(sidesOpen(day)).toEqual(['against']);
    expect(core.risk.states.map(({ scope }) => scope)).toEqual([{ kind: 'strategy', strategy: 'backs' }]);
    day.resume();
    await day.until('quotes of both', () => sidesOpen(day).length === 2);
  });

  it('take other match rules, limits and parameters while they run', async () => {
    const day = await begun();
    change(day, 'backs', ({ match }) => ({ match: { ...match, sports: ['tennis'] } }));
    await day.until('no match', () => !sidesOpen(day).includes('for'));
    await day.pass(3_000);
    const why = (day.controls.why(null) as readonly Why[]).filter(
      ({ reason }) => reason.for === 'strategy.no_match',
    );
    expect(why.length).toBeGreaterThan(0);
    expect(why[0]?.verdicts[0]?.message).toBe(
      'it belongs to backs until it is settled, whose match rules leave it out: its sport is fb',
    );
    change(day, 'backs', () => ({}));
    await day.until('quotes of both', () => sidesOpen(day).length === 2);
    const layStakes = () =>
      day.open().flatMap(({ betType, stakeMicros }) => (betType.startsWith('against') ? [stakeMicros] : []));
    const before = Math.max(...layStakes());
    change(day, 'lays', ({ parameters }) => ({ parameters: { ...parameters, stake: 60 } }));
    // A size three times as large shows at any price that the market may have by then.
    await day.until('larger stakes', () => layStakes().some((stakeMicros) => stakeMicros > 2 * before));
    change(day, 'lays', ({ limits }) => ({ limits: { ...limits, openOrders: 1 } }));
    await day.pass(120_000);
    expect(eventsOf(day, 'against').length).toBeLessThanOrEqual(1);
    expect(eventsOf(day, 'for').length).toBeGreaterThan(0);
    expect([...day.run.composed.core.risk.refusals().keys()]).toContain('strategy_open_orders');
  });

  it('leave an event without quotes that no strategy is for', async () => {
    const strategies: readonly StrategyTable[] = [{ ...BACKS, match: { sports: ['tennis'] } }];
    const day = new CalmDay({ ...DAY, daemon: { ...DAY.daemon, strategies } });
    await day.begin(false);
    await day.pass(30_000);
    expect(day.open()).toEqual([]);
    const why = day.controls.why(null) as readonly Why[];
    expect(new Set(why.map(({ reason }) => reason.for))).toEqual(new Set(['strategy.no_match']));
    expect(why[0]?.verdicts[0]?.message).toBe('no strategy matches it: backs: its sport is fb');
  });
});
