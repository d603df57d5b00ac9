import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventKey, type EventName } from '../../src/domain/events.ts';
import { scopeName } from '../../src/risk/index.ts';
import { patient } from '../support/patience.ts';
import type { SimPlan, StrategyTable } from './plan.ts';
import { World } from './world.ts';

const PLUGIN = 'test/support/one-sided-strategy.ts';

const planOf = (seed: number): SimPlan => ({
  seed,
  activeS: 90,
  acts: [],
  faults: [],
  world: { events: 4, speed: 100, latencyMs: [10, 60], openBetslips: 30, betslipsPerDay: 2_000 },
  daemon: {
    strategy: 'symmetric',
    durationS: 30,
    heartbeatS: 30,
    maxSelections: 6,
    inPlay: true,
    marketTypes: ['wdw'],
    eventLimitUsdt: 4_000,
  },
});

/** One strategy backs in the competition of the first event, the other one lays in all others. */
function tablesOf(world: World): readonly StrategyTable[] {
  const [first] = world.inspectEvents();
  return [
    {
      name: PLUGIN,
      as: 'backs',
      parameters: { side: 'for' },
      match: { competitions: [`${first?.competitionId}`] },
    },
    { name: PLUGIN, as: 'lays', parameters: { side: 'against' } },
  ];
}

const DIRECTION_OF: Readonly<Record<string, string>> = { backs: 'for', lays: 'against' };

/** The owners by the journal alone. */
function ownersOf({ disk }: World): ReadonlyMap<string, string> {
  const owned = disk.store.records.filter(({ kind }) => kind === 'event_owned');
  return new Map(
    owned.map(({ data }) => {
      const { event, owner } = data as unknown as { readonly event: EventName; readonly owner: string };
      return [eventKey(event), owner];
    }),
  );
}

/** Checks the results that the loss limits judge. Returns how many strategies have a result other than 0. */
function judgeResults(world: World): number {
  const { run } = world;
  if (run === null || run.failure !== null) throw new Error('the run has failed', { cause: run?.failure });
  const { parts } = run.composed;
  const { risk } = parts.core;
  const owners = ownersOf(world);
  const results = new Map(
    risk.snapshot().results.map(({ of, totalMicros }) => [scopeName(of), totalMicros ?? 0]),
  );
  const account = results.get('account') ?? 0;
  const [backs, lays] = ['backs', 'lays'].map((name) => results.get(`strategy ${name}`) ?? 0);
  expect((backs ?? 0) + (lays ?? 0)).toBe(account);
  for (const name of ['backs', 'lays'])
    expect(results.get(`strategy ${name}`) ?? 0).toBe(
      parts.core.ledger.judgedOn((event) => owners.get(eventKey(event)) === name),
    );
  return [backs, lays].filter((micros) => micros !== 0).length;
}

/** Every order is on an event of the strategy that quotes its direction, also those of an earlier run. */
function judgeOrders(world: World): void {
  const owners = ownersOf(world);
  for (const { sport, eventId, betType } of world.exchange.inspect().orders) {
    const owner = owners.get(`${sport}|${eventId}`) ?? '';
    expect(betType.split(',')[0]).toBe(DIRECTION_OF[owner]);
  }
}

/** The profit of settled bets as the exchange paid it. */
const paidMicros = (world: World): number => (world.inspectAccounts()[0]?.balanceMicros ?? 0) - 100_000e6;

/** Runs a day with a kill -9 in it. */
async function day(
  seed: number,
  killedS: number,
): Promise<{ readonly active: number; readonly paid: number }> {
  const plan = planOf(seed);
  const world = new World(plan, { name: 'none' });
  Object.assign(plan.daemon, { strategies: tablesOf(world) });
  let active = 0;
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await world.clock.advance(1_000);
      active = Math.max(active, judgeResults(world));
    }
    judgeOrders(world);
  };
  await world.begin();
  await pass(killedS);
  world.kill();
  await world.clock.advance(5_000);
  await world.begin();
  await pass(plan.activeS - killedS);
  expect(world.run?.composed.parts.core.ledger.profitLoss(() => null).realisedMicros).toBe(paidMicros(world));
  return { active, paid: paidMicros(world) };
}

it(
  'adds up to the account’s profit at each second, also over a kill -9',
  { timeout: patient(120_000) },
  async () => {
    const days: Awaited<ReturnType<typeof day>>[] = [];
    const property = async (seed: number, killedS: number): Promise<void> =>
      void days.push(await day(seed, killedS));
    const drawn = fc.asyncProperty(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 20, max: 70 }),
      property,
    );
    await fc.assert(drawn, { numRuns: 2, seed: 7, endOnFailure: true });
    expect(Math.max(...days.map(({ active }) => active))).toBe(2);
    expect(days.some(({ paid }) => paid !== 0)).toBe(true);
  },
);
