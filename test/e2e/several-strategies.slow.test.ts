import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import type { Status } from '../../src/read-model/status.ts';
import type { RiskSnapshot } from '../../src/risk/index.ts';
import { scopeName } from '../../src/risk/states/trading-states.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { patient } from '../support/patience.ts';
import { exchangeSettings, launchExchange, temporaryFolder } from '../support/exchange.ts';
import { ownOrders } from '../support/own-orders.ts';
import {
  adminOf,
  endBoth,
  metricOf,
  metricsOf,
  operate,
  type Place,
  reported,
  runAt,
} from '../support/place.ts';
import { lastJson, PROJECT_ROOT } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

async function placeWith(name: string, settings: string, args: readonly string[] = []): Promise<Place> {
  const exchange = await launchExchange(args);
  const journal = join(folder.path, `${name}.sqlite`);
  const config = folder.file(
    `${name}.toml`,
    `${exchangeSettings(exchange.rest, exchange.stream)}${settings}`,
  );
  return { exchange, journal, options: ['--config', config, '--set', `journal.path=${journal}`] };
}

const statusOf = async (admin: string): Promise<Status> => (await reported(admin, '/status')) as Status;

describe('one good strategy beside three bad ones', () => {
  const THROWS = folder.file(
    'demo.mjs',
    `export default ({ defineStrategy, z }) => defineStrategy({
      name: 'demo', description: 'throws', parameters: z.object({}),
      quote() {
        throw new Error('my bug');
      },
    });`,
  );
  const SLOW = folder.file(
    'slow.mjs',
    `export default ({ defineStrategy, z }) => defineStrategy({
      name: 'slow', description: 'takes long', parameters: z.object({}),
      quote() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60); return []; },
    });`,
  );
  /** Emits and logs without end. Each set holds thousands of quotes at other prices than the last one. */
  const FLOODS = folder.file(
    'flood.mjs',
    `export default ({ DIRECTIONS, bestLevel, defineStrategy, floorTick, rxjs: { combineLatest, map }, z }) => defineStrategy({
      name: 'flood', description: 'wants too much', parameters: z.object({}),
      quotes(view$, { log, time }) {
        return combineLatest([view$, time.interval(0)]).pipe(map(([{ selections }, n]) => {
          for (let line = 0; line < 20; line++) log('a line of the flood', { n, line });
          return selections.flatMap(({ selectionId, market }) => {
            const best = market.for && bestLevel('for', market.for.priceList);
            const tick = best ? floorTick(best.price) : null;
            if (tick === null) return [];
            return Array.from({ length: 1_000 }, (_, level) => ({
              selectionId, direction: 'for', level, tick: Math.min(348, tick + 30 + ((n + level) % 50)), stakeMicros: 2_000_000, valueMicrosPerS: 1e9,
            }));
          });
        }));
      },
    });`,
  );

  const SETTINGS = `
[universe]
sports = ["fb", "tennis", "basket"]
marketTypes = ["wdw", "ml"]
maxEvents = 20
maxSelections = 24
[orders]
durationS = 60
openBetslips = 60
[risk.guards.loopLag]
# A busy machine holds up the loop, too.
maxS = 5
[[strategy]]
name = "symmetric"
as = "good"
slowMs = 2000
[strategy.match]
competitions = ["101", "103"]
[[strategy]]
name = "${FLOODS}"
slowMs = 2000
[strategy.match]
sports = ["fb"]
[[strategy]]
name = "${THROWS}"
slowMs = 2000
[strategy.match]
sports = ["tennis"]
[[strategy]]
name = "${SLOW}"
hangS = 3
slowMs = 40
`;

  /** How many of the good strategy's wanted quotes are open. */
  const quotedOf = ({ events }: Status): readonly boolean[] =>
    events
      .flatMap(({ selections }) => selections)
      .filter(({ selectionId }) => /^fb\|[^,]*,10[13]/.test(selectionId))
      .flatMap(({ quoted }) => [quoted.for !== null, quoted.against !== null]);

  it(
    'keeps its quotes, and the others are named wherever people look',
    { timeout: patient(300_000) },
    async () => {
      const place = await placeWith('bad-company', SETTINGS, ['--open-betslips', '60']);
      const daemon = runAt(place);
      const admin = await adminOf(daemon);
      const share = async (): Promise<number> => {
        const quoted = quotedOf(await statusOf(admin));
        return quoted.length === 0 ? 0 : quoted.filter((isOpen) => isOpen).length / quoted.length;
      };
      await expect.poll(share, { timeout: patient(120_000), interval: 500 }).toBeGreaterThan(0.95);
      const shares: number[] = [];
      for (let second = 0; second < 30; second++) {
        await pause(1_000);
        shares.push(await share());
      }
      console.log(
        `the good strategy's quotes, second by second: ${shares.map((part) => part.toFixed(2)).join(' ')}`,
      );
      const status = await statusOf(admin);
      console.log(JSON.stringify(status.strategies));
      expect(shares.reduce((sum, part) => sum + part, 0) / shares.length).toBeGreaterThan(0.9);
      const errors = Object.fromEntries(status.strategies.map((each) => [each.name, each.errors]));
      expect(errors).toEqual({
        good: {},
        flood: {
          'too-many-emissions': expect.any(Number) as number,
          'too-many-intents': expect.any(Number) as number,
          'too-many-lines': expect.any(Number) as number,
        },
        demo: { threw: expect.any(Number) as number },
        slow: { slow: expect.any(Number) as number },
      });
      const why = await operate(place, ['why'], ['--url', admin]);
      expect(why.stdout).toMatch(/strategy\.threw/);
      expect(why.stdout).toMatch(/demo throws: my bug \(demo\.mjs:4\)/);
      for (const [strategy, kind] of [
        ['demo', 'threw'],
        ['flood', 'too-many-intents'],
      ])
        expect(
          await metricOf(
            await metricsOf(daemon),
            new RegExp(
              `^touchline_strategy_problems_total\\{strategy="${strategy}",kind="${kind}"\\} (\\d+)$`,
              'm',
            ),
          ),
        ).toBeGreaterThan(0);
      expect(
        await metricOf(
          await metricsOf(daemon),
          /^touchline_strategy_slow_calls_total\{strategy="slow"\} (\d+)$/m,
        ),
      ).toBeGreaterThan(0);
      daemon.kill('SIGTERM');
      const exit = await daemon.exit;
      const summary = lastJson(exit) as {
        readonly duration_s: number;
        readonly strategy_errors: Readonly<Record<string, Readonly<Record<string, number>>>>;
      };
      expect(Object.keys(summary.strategy_errors).toSorted()).toEqual(['demo', 'flood', 'slow']);
      expect(summary.strategy_errors).toMatchObject({ demo: { threw: expect.any(Number) as number } });
      const floodLines = exit.stderr.split('\n').filter((line) => line.includes('a line of the flood'));
      expect(floodLines.length).toBeLessThanOrEqual(100 * (1 + Math.ceil(summary.duration_s / 60)));
      await endBoth(place, daemon);
    },
  );
});

describe('two strategies with opposite parameters on one account', () => {
  const PLUGIN = `${PROJECT_ROOT}test/support/one-sided-strategy.ts`;
  const SETTINGS = `
[universe]
sports = ["fb", "tennis", "basket"]
inPlay = true
maxEvents = 6
maxSelections = 12
[risk.inPlay]
allowed = true
[[strategy]]
name = "${PLUGIN}"
as = "backs"
[strategy.match]
sports = ["fb"]
[strategy.parameters]
side = "for"
[[strategy]]
name = "${PLUGIN}"
as = "lays"
[strategy.parameters]
side = "against"
`;

  /** The last results in the journal, which the loss limits continue from, and the owner of each event. */
  function journalOf({ journal }: Place) {
    const opened = openSqliteJournal(journal, systemClock);
    try {
      const { results } = (opened.last('risk_snapshot')?.data ?? { results: [] }) as unknown as RiskSnapshot;
      const micros = new Map(results.map(({ of, totalMicros }) => [scopeName(of), totalMicros ?? NaN]));
      const owners = [...opened.read()]
        .filter(({ kind }) => kind === 'event_owned')
        .map(({ data }) => JSON.stringify(data));
      return { micros, owners };
    } finally {
      opened.close();
    }
  }

  const expectSum = (micros: ReadonlyMap<string, number>): void => {
    expect([...micros.keys()].toSorted()).toEqual(['account', 'strategy backs', 'strategy lays']);
    expect((micros.get('strategy backs') ?? NaN) + (micros.get('strategy lays') ?? NaN)).toBe(
      micros.get('account'),
    );
  };

  it(
    'have profits that add up to the account’s, also over a kill -9',
    { timeout: patient(300_000) },
    async () => {
      const place = await placeWith('opposites', SETTINGS, ['--speed', '20']);
      const fills = async (): Promise<number> =>
        (await ownOrders(place.exchange)).reduce((sum, order) => sum + order.fills.length, 0);
      const first = runAt(place);
      await expect.poll(fills, { timeout: patient(90_000), interval: 500 }).toBeGreaterThan(5);
      // The results are written now and then.
      await pause(2_000);
      first.kill('SIGKILL');
      await first.exit;
      const before = journalOf(place);
      const filled = await fills();
      const second = runAt(place);
      const admin = await adminOf(second);
      await expect.poll(fills, { timeout: patient(90_000), interval: 500 }).toBeGreaterThan(filled + 2);
      const { strategies } = await statusOf(admin);
      expect(strategies.map(({ name }) => name)).toEqual(['backs', 'lays']);
      second.kill('SIGTERM');
      await second.exit;
      const after = journalOf(place);
      expectSum(after.micros);
      console.log(JSON.stringify([...after.micros]));
      expect([...after.micros.values()].some((micros) => micros !== 0)).toBe(true);
      expect(after.owners.slice(0, before.owners.length)).toEqual(before.owners);
      expect(new Set(after.owners).size).toBe(after.owners.length);
      const sides = new Map(
        (await ownOrders(place.exchange)).map(({ order_id, bet_type }) => [order_id, bet_type]),
      );
      expect(new Set([...sides.values()].map((type) => type.split(',')[0]))).toEqual(
        new Set(['for', 'against']),
      );
      await endBoth(place, second);
    },
  );
});
