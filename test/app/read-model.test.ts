import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type LiveEvent, type LiveQuoting, type LiveRun, PIECES } from '../../src/read-model/live/message.ts';
import { type EventStatus, refusedInWords, type Status } from '../../src/read-model/status.ts';
import { CalmDay } from '../support/calm-day.ts';
import { dayWithBet, type DayWithBet } from '../support/day-with-bet.ts';
import { StillMarket } from '../support/still-market.ts';

const statusOf = (day: CalmDay): Status => day.run.daemon.status();

/** The amounts of each selection with a position. */
const positionsOf = ({ selections }: EventStatus): unknown =>
  selections
    .filter(({ ifWin, ifLose }) => ifWin !== 0 || ifLose !== 0)
    .map(({ selectionId, ifWin, ifLose }) => ({ selectionId, ifWin, ifLose }));

/** The only event, which has a position. */
function heldEvent(day: CalmDay): EventStatus {
  const { events } = statusOf(day);
  expect(events).toHaveLength(1);
  const [event] = events as [EventStatus];
  expect(positionsOf(event)).toHaveLength(1);
  return event;
}

const FINAL = { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 } as const;

async function settle({ day, market }: DayWithBet): Promise<void> {
  market.intervene({ kind: 'end', result: FINAL });
  await day.until('settled', () => day.run.composed.parts.core.ledger.selections().length === 0);
}

describe('a position on an event', () => {
  it('stays in the status when the event leaves the universe, until it is settled', async () => {
    const held = await dayWithBet();
    const { day } = held;
    const { engine, parts } = day.run.composed;
    const before = heldEvent(day);
    expect(before.quoted).toBe(true);
    engine.setRules({ ...parts.rules, sports: ['tennis'] });
    await day.pass(5_000);
    expect([...engine.chosen.keys()]).toEqual([]);
    const after = heldEvent(day);
    expect(after).toMatchObject({ name: 'A v B', sport: 'fb', quoted: false });
    expect(positionsOf(after)).toEqual(positionsOf(before));
    await settle(held);
    expect(statusOf(day).events).toEqual([]);
  });

  it('stays in the status when the event goes in play, until it is settled', async () => {
    const held = await dayWithBet();
    const { day, market } = held;
    const before = heldEvent(day);
    market.intervene({ kind: 'in_running' });
    await day.pass(5_000);
    const after = heldEvent(day);
    expect(after).toMatchObject({ name: 'A v B', inRunning: true, quoted: false });
    expect(positionsOf(after)).toEqual(positionsOf(before));
    await settle(held);
    expect(statusOf(day).events).toEqual([]);
  });

  it('stays in the status under its name when the exchange no longer reports the event', async () => {
    const { day, market } = await dayWithBet();
    market.does((exchange, nowMs) => exchange.removeEvent(market.at, nowMs));
    await day.pass(5_000);
    expect(heldEvent(day)).toMatchObject({ name: 'A v B', quoted: false, startsInMs: null });
  });

  it('includes orders that the exchange has not closed yet', async () => {
    const day = new CalmDay({ world: { events: 0 } });
    const market = new StillMarket(day.world, 3_600);
    await day.begin();
    const { engine, parts, readModel } = day.run.composed;
    engine.setRules({ ...parts.rules, sports: ['tennis'] });
    await day.until('given up', () => engine.chosen.size === 0);
    while (readModel.openOrders.length > 0) {
      const [event] = statusOf(day).events;
      expect(event).toMatchObject({ quoted: false, selections: [{ selectionId: market.selectionId }] });
      await day.pass(10);
    }
    expect(statusOf(day).events).toEqual([]);
  });
});

it('counts the order manager’s open orders, and each fill once, over a restart too', async () => {
  const { day, market } = await dayWithBet();
  const check = (fills: number): void => {
    const { readModel, parts } = day.run.composed;
    const uuids = (orders: Iterable<{ readonly requestUuid: string }>): readonly string[] =>
      Array.from(orders, ({ requestUuid }) => requestUuid).toSorted();
    expect(uuids(readModel.openOrders)).toEqual(uuids(parts.orders.orders()));
    expect(statusOf(day)).toMatchObject({ ordersOpen: readModel.openOrders.length, fills });
  };
  for (let step = 0; step < 100; step++) {
    market.move(1.9 - step / 500, 2.1);
    await day.pass(200);
    check(1);
  }
  const { stakeMatched } = statusOf(day);
  expect(stakeMatched).toBeGreaterThan(0);
  day.world.kill();
  await day.begin();
  check(1);
  market.take('for', 20);
  await day.pass(1_000);
  check(2);
  expect(statusOf(day).stakeMatched).toBeGreaterThan(stakeMatched);
});

describe('the money of a run', () => {
  /** The commission of a configuration that is reloaded. */
  function setCommission(day: CalmDay, commissionRate: number): void {
    const { config, composed } = day.run;
    composed.prepare({ ...config, exchange: { ...config.exchange, commissionRate } })();
  }

  it('is shown in the words of exchanges while a bet is open, and once it is settled', async () => {
    const held = await dayWithBet();
    const { day } = held;
    const { parts } = day.run.composed;
    const [id] = parts.core.ledger.selections();
    const { ifWinMicros, ifLoseMicros } = parts.core.ledger.position(id!);
    const { profit, profitLoss, state } = statusOf(day);
    expect(state).toBe('quoting');
    expect(profit.run.locked).toBeCloseTo(Math.min(ifWinMicros, ifLoseMicros) / 1e6, 5);
    expect(profit.run).toMatchObject({ settled: 0, expected: profitLoss, commission: 0 });
    // The market that remains without our quotes has depth for both directions.
    expect(profit.run.closeNow).toBeLessThan(profit.run.expected);
    expect(profit.run.closeNow).toBeGreaterThan(profit.run.locked);
    expect(profit.byStrategy).toEqual([{ name: 'symmetric', ...profit.run }]);
    expect(profit.byEvent).toMatchObject([{ event: 'A v B', ...profit.run }]);
    setCommission(day, 0.05);
    await settle(held);
    const { profit: settled, profitLoss: realised } = statusOf(day);
    const { run } = settled;
    expect([run.locked, run.expected, run.closeNow]).toEqual([run.settled, run.settled, run.settled]);
    expect(run.settled + run.commission).toBeCloseTo(realised, 6);
    expect(run.commission).toBeCloseTo(Math.max(0, 0.05 * realised), 5);
    const { spread, move, settlement, unattributed } = settled.sources;
    expect(spread + move + settlement + unattributed).toBeCloseTo(realised, 5);
  });

  it('is shown with balance, turnover and limits, orders and fills', async () => {
    const { day, market } = await dayWithBet();
    await day.pass(3_000);
    const status = statusOf(day);
    expect(status.account.balance).toBeGreaterThan(0);
    expect(status.account.ageS).toBeLessThan(31);
    expect(status.turnover).toBe(status.stakeMatched);
    expect(status.limits.find(({ name }) => name === 'turnover.dayUsdt')!.use).toBeGreaterThan(
      status.turnover,
    );
    expect(status.quoting).toMatchObject({ wanted: 1, quoted: 1, notQuotingS: null });
    const row = { event: 'A v B', outcome: 'A', strategy: 'symmetric', selectionId: market.selectionId };
    expect(status.recentFills).toMatchObject([{ ...row, stake: status.stakeMatched }]);
    expect(status.recentOrders.length).toBeGreaterThan(1);
    for (const order of status.recentOrders) expect(order).toMatchObject(row);
    const [selection] = heldEvent(day).selections;
    expect(selection!.stake.for + selection!.stake.against).toBeGreaterThan(0);
  });
});

describe('a strategy that throws', () => {
  const folder = mkdtempSync(join(tmpdir(), 'throwing-'));
  const file = join(folder, 'throwing.mjs');
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Quotes both sides of every selection, or throws. */
  const TEXT = `export default ({ defineStrategy, DIRECTIONS, z }) => defineStrategy({
    name: 'throwing', description: '', parameters: z.object({ throws: z.boolean().default(false) }),
    quote(view, { throws }) {
      if (throws) throw new Error('no price');
      return view.selections.flatMap(({ selectionId }) => DIRECTIONS.map((direction) => (
        { selectionId, direction, tick: direction === 'for' ? 110 : 85, stakeMicros: 20e6, level: 0 })));
    },
  });`;

  interface Why {
    readonly reason: unknown;
    readonly verdicts: readonly { readonly message: string }[];
  }

  const whyOf = (day: CalmDay): Why => (day.controls.why(null) as readonly Why[])[0]!;

  it('is shown as throwing, in the status and by why, until it answers again', async () => {
    writeFileSync(file, TEXT);
    const day = new CalmDay({ world: { events: 0 }, daemon: { strategy: file } });
    const market = new StillMarket(day.world, 3_600);
    await day.begin();
    await day.pass(2_000);
    const { core } = day.run.composed;
    const shown = (): EventStatus['strategyThrows'] => statusOf(day).events[0]!.strategyThrows;
    expect([shown(), whyOf(day).reason]).toEqual([null, { for: null, against: null }]);

    core.apply({ kind: 'parameters', strategy: 'throwing', parameters: { throws: true } });
    const sinceMs = day.world.clock.wallMs();
    await day.pass(5_000);
    const thrown = shown();
    expect(thrown).toMatchObject({ message: expect.stringContaining('no price') as string });
    expect(thrown!.times).toBeGreaterThanOrEqual(4);
    expect(thrown!.sinceMs - sinceMs).toBeLessThanOrEqual(1_000);
    expect(whyOf(day).reason).toEqual({ for: 'strategy.threw', against: 'strategy.threw' });
    const [verdict] = whyOf(day).verdicts;
    expect(verdict!.message).toContain('no price');
    expect(verdict!.message).toContain(new Date(thrown!.sinceMs).toISOString());
    expect(statusOf(day).events[0]!.selections[0]!.selectionId).toBe(market.selectionId);

    core.apply({ kind: 'parameters', strategy: 'throwing', parameters: { throws: false } });
    await day.until('quoting', () => day.open().length > 1);
    await day.pass(1_000);
    expect([shown(), whyOf(day).reason]).toEqual([null, { for: null, against: null }]);
  });
});

describe('the readiness of a run', () => {
  const readinessOf = (day: CalmDay) => statusOf(day).quoting.readiness;

  it('adds up, and names what the other selections wait for', async () => {
    const day = new CalmDay({ world: { openBetslips: 3 }, daemon: { maxSelections: 6 } });
    await day.begin();
    await day.until('learned', () => statusOf(day).betslipCap.isLearned);
    // Three betslips in turn serve all six for a moment.
    await day.until('waiting', () => readinessOf(day).waiting.length > 0);
    expect(statusOf(day).betslipCap).toEqual({ open: 3, isLearned: true, carries: 1 });
    const { wanted, quoted, waiting, isShort } = readinessOf(day);
    expect(wanted).toBe(6);
    expect(isShort).toBe(quoted < 4.8);
    expect(quoted + waiting.reduce((sum, { count }) => sum + count, 0)).toBe(6);
    expect(['wait for betslips', 'quoted on one side']).toContain(waiting[0]?.why);
  });

  it('is foreseen at the start, once in a run', async () => {
    const day = new CalmDay();
    await day.begin();
    const said = day.world.log.filter((line) => line.includes('carries about'));
    expect(said).toEqual([
      expect.stringMatching(/your cap of open betslips carries about 25 selections.*"?openBetslips"?.*50/),
    ]);
  });

  it('is short no longer once the share is lowered', async () => {
    const day = new CalmDay({ world: { openBetslips: 3 }, daemon: { maxSelections: 6 } });
    await day.begin();
    await day.until('short', () => readinessOf(day).isShort);
    const { config, composed } = day.run;
    composed.prepare({ ...config, universe: { ...config.universe, minQuotedRatio: 0 } })();
    expect(readinessOf(day).isShort).toBe(false);
  });

  it('says that trading is paused', async () => {
    const day = new CalmDay();
    await day.begin();
    day.run.daemon.controls().pause('lunch', 'anna');
    await day.pass(5_000);
    expect(readinessOf(day)).toMatchObject({ wanted: 2, quoted: 0, waiting: [{ why: 'paused', count: 2 }] });
  });

  it.each([
    ['a pause', (day: CalmDay) => day.controls.pause('lunch', 'anna'), (day: CalmDay) => day.resume()],
    ['a kill', (day: CalmDay) => day.controls.kill('drill', 'anna'), (day: CalmDay) => day.resume()],
    [
      'a halt',
      (day: CalmDay) => day.controls.setState({ state: 'halted', reason: 'drill' }, 'anna'),
      (day: CalmDay) => day.controls.setState({ state: 'active', reason: 'over' }, 'anna'),
    ],
  ])('counts the time without quotes from the end of %s', async (_, stop, resume) => {
    const day = new CalmDay();
    await day.begin();
    stop(day);
    await day.pass(60_000);
    resume(day);
    await day.pass(20);
    expect(day.run.daemon.status().quoting.notQuotingS ?? 0).toBeLessThan(1);
  });

  it('is full in a calm market', async () => {
    const day = new CalmDay();
    await day.begin();
    await day.pass(10_000);
    expect(readinessOf(day)).toEqual({ wanted: 2, quoted: 2, waiting: [], isShort: false });
  });
});

describe('a strategy with an invalid intent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'invalid-'));
  const file = join(folder, 'invalid.mjs');
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Quotes both sides of every selection; the `for` side at a tick that may be off the ladder. */
  const TEXT = `export default ({ defineStrategy, DIRECTIONS, z }) => defineStrategy({
    name: 'invalid', description: '', parameters: z.object({ tick: z.number().default(110) }),
    quote: (view, { tick }) => view.selections.flatMap(({ selectionId }) => DIRECTIONS.map((direction) => (
      { selectionId, direction, tick: direction === 'for' ? tick : 85, stakeMicros: 20e6, level: 0 }))),
  });`;

  interface Why {
    readonly reason: unknown;
    readonly verdicts: readonly { readonly message: string }[];
  }

  const whyOf = (day: CalmDay): Why => (day.controls.why(null) as readonly Why[])[0]!;

  it('is named with its rule and its time by why, the status and the dashboard, until it is valid', async () => {
    writeFileSync(file, TEXT);
    const day = new CalmDay({ world: { events: 0 }, daemon: { strategy: file } });
    const market = new StillMarket(day.world, 3_600);
    await day.begin();
    await day.pass(2_000);
    const { core } = day.run.composed;
    core.apply({ kind: 'parameters', strategy: 'invalid', parameters: { tick: 999 } });
    await day.pass(5_000);
    const named =
      /invalid: refused: for at tick 999, stake 20 USDT.*: tick 999 is not on the ladder \(rule tick\) \(\d+x since 20/;
    expect(whyOf(day).reason).toEqual({ for: 'strategy.invalid_intent', against: null });
    expect(whyOf(day).verdicts[0]?.message).toMatch(named);
    const [event] = statusOf(day).events;
    expect(refusedInWords(event!.refusedQuotes[0]!)).toMatch(named);
    expect(event!.selections[0]).toMatchObject({
      selectionId: market.selectionId,
      missing: 'strategy.invalid_intent',
    });
    expect(statusOf(day).strategies[0]?.lastError).toMatchObject({
      kind: 'invalid-intent',
      message: expect.stringContaining('(rule tick)') as string,
    });
    const { pieces } = day.run.daemon.live(new Set());
    const pieceOf = (name: string): unknown => pieces.find((piece) => piece.name === name)?.value;
    expect((pieceOf(PIECES.event(event!.key)) as LiveEvent).refused).toMatch(named);
    const { readiness } = pieceOf(PIECES.quoting) as LiveQuoting;
    expect(readiness.waiting).toEqual([{ why: 'quoted on one side', count: 1 }]);

    core.apply({ kind: 'parameters', strategy: 'invalid', parameters: { tick: 110 } });
    await day.until('quoting', () => day.open().length > 1);
    await day.pass(1_000);
    expect(statusOf(day).events[0]!.refusedQuotes).toEqual([]);
    expect(whyOf(day).reason).toEqual({ for: null, against: null });
  });
});

describe('a stop of the whole account on the page', () => {
  const STOPS = {
    kill: (day: CalmDay): void => void day.controls.kill('drill', 'anna'),
    pause: (day: CalmDay): void => void day.controls.pause('drill', 'anna'),
  };

  it.each<[stop: keyof typeof STOPS, facts: object, kept: LiveRun['trading']['kept']]>([
    ['kill', {}, 'over restarts'],
    ['pause', {}, 'over restarts'],
    ['kill', { isForThisRun: true }, 'for this run'],
    ['pause', { isForThisRun: true }, 'for this run'],
    ['kill', { latchedIn: null }, 'nowhere'],
  ])('a %s with %o is kept %s', async (stop, facts, kept) => {
    const day = new CalmDay();
    await day.begin();
    STOPS[stop](day);
    const { kept: risk } = day.run.composed.parts.riskInputs;
    for (const [name, value] of Object.entries(facts)) Object.defineProperty(risk, name, { value });
    const run = day.run.daemon.live(new Set()).pieces.find(({ name }) => name === PIECES.run);
    expect(run?.value).toMatchObject({ trading: { by: 'anna', kept } });
  });
});
