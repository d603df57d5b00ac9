import { describe, expect, it } from 'vitest';
import { createPrometheusMetrics, type PrometheusMetrics } from '../../../src/ops/metrics.ts';
import { type GuardName, GUARDS } from '../../../src/risk/index.ts';
import { type Fault, faultSchema } from '../../../src/simulator/faults/schema.ts';
import { CalmDay } from '../../support/calm-day.ts';
import { StillMarket } from '../../support/still-market.ts';

interface Case {
  readonly guard: GuardName;
  readonly settings?: Readonly<Record<string, string>>;
  readonly inPlay?: boolean;
  /** Seconds from the start of the day to the start of the event. */
  readonly startsInS?: number;
  readonly faults?: readonly object[];
  /** Changes the world; the daemon’s own parts stay untouched. */
  readonly happens: (day: CalmDay, market: StillMarket) => void | Promise<void>;
}

const HOUR_S = 3_600;

async function quoting({ settings = {}, inPlay = false, startsInS = HOUR_S, faults = [] }: Case) {
  const day = new CalmDay({
    world: { events: 0 },
    daemon: { inPlay },
    settings,
    faults: faults.map((fault): Fault => faultSchema.parse(fault)),
  });
  const metrics = createPrometheusMetrics({ processMetrics: false });
  day.world.metrics = metrics;
  const market = new StillMarket(day.world, startsInS);
  await day.begin();
  return { day, market, metrics };
}

interface Shown {
  readonly reason: { readonly for: string | null; readonly against: string | null };
  readonly alarms: readonly { readonly guard: string; readonly effect: string }[];
}

const NO_POSITION = { sport: 'fb', event_id: '2026-03-01,1,2', totals: {} };

const CASES: readonly Case[] = [
  {
    guard: 'stale_data',
    settings: { 'market.staleAfterS': '20', 'risk.guards.staleData.maxAgeS': '5' },
    faults: [
      { target: 'stream.offer', fault: 'missing', at: 25 },
      { target: 'stream.pmm', fault: 'missing', at: 25 },
      { target: 'offers', fault: 'unavailable', at: 25 },
    ],
    happens: (day) => day.pass(15_000),
  },
  {
    guard: 'divergence',
    settings: { 'risk.guards.divergence.maxLogOdds': '0.05' },
    faults: [{ target: 'betslips', fault: 'quote_freezes', at: 15 }],
    happens: async (day, market) => {
      await day.pass(15_000);
      market.move(2, 2.2);
    },
  },
  {
    guard: 'score_change',
    inPlay: true,
    happens: async (day, market) => {
      market.does((live, nowMs) => live.setScore(market.at, 0, 0, nowMs));
      await day.pass(1_000);
      market.intervene({ kind: 'goal', side: 'home' });
    },
  },
  {
    guard: 'red_card',
    inPlay: true,
    happens: async (day, market) => {
      market.does((live, nowMs) => live.setRedCards(market.at, 0, 0, nowMs));
      await day.pass(1_000);
      market.does((live, nowMs) => live.setRedCards(market.at, 0, 1, nowMs));
    },
  },
  {
    guard: 'score_age',
    inPlay: true,
    settings: { 'risk.inPlay.scoreMaxAgeS': '2' },
    happens: async (day, market) => {
      market.does((live, nowMs) => live.setScore(market.at, 0, 0, nowMs));
      // The clock confirms the score until quotes rest after the pause at the start, and then no more.
      for (let minute = 1; minute <= 15; minute++) {
        market.does((live, nowMs) => live.setTime(market.at, '1h', minute, nowMs));
        await day.pass(1_000);
      }
    },
  },
  {
    guard: 'suspension',
    happens: async (day, market) => {
      market.intervene({ kind: 'suspend' });
      await day.pass(10_000);
      market.intervene({ kind: 'resume' });
    },
  },
  { guard: 'feed_cleared', happens: (_, market) => market.does((live, nowMs) => live.clear(nowMs)) },
  { guard: 'start', inPlay: true, startsInS: 40, happens: (day) => day.pass(20_000) },
  { guard: 'price_jump', happens: (_, market) => market.move(1.2, 1.3) },
  {
    guard: 'toxicity',
    settings: { 'risk.guards.toxicity.fills': '2' },
    happens: (_, market) => {
      // All fills come at once, because widened quotes are no longer the best.
      for (let fills = 0; fills < 4; fills++) market.take('for', 4);
    },
  },
  {
    guard: 'unintended_taking',
    settings: { 'risk.guards.unintendedTaking.fills': '1' },
    faults: [{ target: 'orders.create', fault: 'delayed', delay_ms: 2_500, at: 20 }],
    happens: async (day, market) => {
      await day.pass(20_000);
      market.move(1.95, 2.15);
      const before = day.creates();
      await day.until('an order on its way', () => day.creates() > before);
      market.move(2.2, 2.4);
    },
  },
  {
    guard: 'order_errors',
    settings: { 'risk.guards.orderErrors.minOrders': '2' },
    faults: [{ target: 'orders.create', fault: 'rejected', reasons: { stake: ['too odd'] }, at: 20 }],
    happens: async (day, market) => {
      await day.pass(20_000);
      market.move(1.95, 2.15);
    },
  },
  { guard: 'clock_offset', happens: (day) => day.world.clock.jumpWall(5_000) },
  { guard: 'loop_lag', happens: (day) => day.run.process.stall(day.world.clock.monotonicMs() + 4_000) },
  {
    guard: 'position_mismatch',
    faults: [{ target: 'orders.position', fault: 'answer', status: 200, data: NO_POSITION, at: 12 }],
    happens: (_, market) => market.take('for', 5),
  },
];

it('has a case for every guard', () => {
  expect(CASES.map(({ guard }) => guard).sort()).toEqual([...GUARDS].sort());
});

/** Everything that an operator must see while a guard is in force, at any instant. */
async function seen(day: CalmDay, metrics: PrometheusMetrics, guard: GuardName, selectionId: string) {
  const [shown] = day.controls.why(selectionId) as readonly [Shown];
  const { text } = await metrics.expose();
  const shows = (series: string): boolean => new RegExp(`^touchline_${series} [1-9]`, 'm').test(text);
  return {
    'told as the reason': Object.values(shown.reason).includes(`guard.${guard}`),
    'told as an alarm': shown.alarms.some((alarm) => alarm.guard === guard && alarm.effect === 'pull'),
    'nothing is open': day.open().length === 0,
    'gauge of guards': shows(`guard_active\\{guard="${guard}"\\}`),
    'gauge of reasons': shows(`quotes_blocked\\{reason="guard.${guard}"\\}`),
    'counter of guards': shows(`guards_raised_total\\{guard="${guard}"\\}`),
  };
}

describe('the occasion of each guard', () => {
  it.each(CASES)('pulls the quotes, and shows in `why` and in the counters: $guard', async (each) => {
    const { day, market, metrics } = await quoting(each);
    await each.happens(day, market);
    const { guards } = day.run.composed.core.risk;
    const isInForce = (): boolean =>
      guards.active().some(({ guard, effect }) => guard === each.guard && effect === 'pull');
    await day.until('in force', isInForce);
    const creates = day.creates();
    const unseen = new Set(Object.keys(await seen(day, metrics, each.guard, market.selectionId)));
    for (let step = 0; step < 150 && unseen.size > 0; step++) {
      const now = await seen(day, metrics, each.guard, market.selectionId);
      for (const [what, isSo] of Object.entries(now)) if (isSo) unseen.delete(what);
      if (isInForce()) expect(day.creates()).toBe(creates);
      await day.pass(100);
    }
    expect([...unseen]).toEqual([]);
  });
});

describe('a wall clock that is set in mid-run', () => {
  const jumps = [-600_000, -5_000, 5_000, 600_000];
  it.each(jumps.flatMap((ms) => [false, true].map((isSilent) => [ms, isSilent] as const)))(
    'is noticed within a second or two: by %d ms, while the stream is silent: %s',
    async (ms, isSilent) => {
      const faults = isSilent ? [{ target: 'stream', fault: 'half_open', at: 30 }] : [];
      const { day } = await quoting({ guard: 'clock_offset', faults, happens: () => undefined });
      await day.pass(30_000 - day.world.clock.monotonicMs() + 1_000);
      const { guards } = day.run.composed.core.risk;
      const isInForce = (): boolean => guards.active().some(({ guard }) => guard === 'clock_offset');
      expect(isInForce()).toBe(false);
      day.world.clock.jumpWall(ms);
      await day.pass(1_100);
      expect(isInForce()).toBe(true);
      day.world.clock.jumpWall(-ms);
      await day.pass(15_000);
      expect(isInForce()).toBe(false);
    },
  );
});

describe('our own stake', () => {
  it('is no divergence while it shows in one source before the other', async () => {
    const { day, metrics } = await quoting({
      guard: 'divergence',
      settings: { 'risk.guards.divergence.maxLogOdds': '0.01' },
      happens: () => undefined,
    });
    await day.pass(120_000);
    expect(day.creates()).toBeGreaterThan(2);
    const { text } = await metrics.expose();
    expect(text).toContain('guards_raised_total{guard="divergence"} 0\n');
  });
});
