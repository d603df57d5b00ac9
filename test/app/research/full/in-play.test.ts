/** Quotes and takes of generated matches that go in play, in both engines of a backtest: the same fills, and the same is refused. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Config } from '../../../../src/app/config/load.ts';
import { sport } from '../../../../src/domain/ids.ts';
import { priceOf, tickOf } from '../../../../src/domain/ladder.ts';
import { fromMicros, toMicros } from '../../../../src/domain/money.ts';
import { type Direction, DIRECTIONS, selectionId } from '../../../../src/domain/selection.ts';
import { integerBetween, seededRandom } from '../../../../src/lib/random.ts';
import type { ScenarioResult } from '../../../../src/research/result.ts';
import type { EventTape } from '../../../../src/research/tape.ts';
import { inBothEngines } from '../../../support/both-engines.ts';
import { closed, inPlay, open, type Step, suspended, TAPE_START_MS, tapeOf } from '../../../support/tapes.ts';

const FILE = fileURLToPath(new URL('../../../support/takes-strategy.ts', import.meta.url));

/** What rests and what is told changes so seldom that every pause, guard and renewal of the daemon is over by the next change. */
const PERIOD_MS = 120_000;
const PERIODS = 6;
const SEEDS = 3;
const OUTCOMES = ['h', 'a'];
/** Takers get 2.30 and 2.50. Quotes rest between them, where recorded trades reach them. */
const OFFERED = [
  ['for', 2.5],
  ['against', 2.3],
] as const;
const RESTING = { for: 2.42, against: 2.38 } as const;

/** In a sport without a score that orders must assert. */
function inTennis(tape: EventTape): EventTape {
  const event = { ...tape.event, sport: sport('tennis') };
  const selections = tape.selections.map((each) => ({
    ...each,
    selectionId: selectionId(event.sport, event.eventId, each.outcome),
  }));
  return { ...tape, event, selections };
}

function generated(seed: number) {
  const random = seededRandom(seed, 'in play');
  const chance = (of: number): boolean => random.next() < of;
  const orders = OUTCOMES.flatMap((outcome) =>
    DIRECTIONS.flatMap((direction) => {
      const common = { outcome, direction, lifetimeS: 3_600 };
      const quote = {
        ...common,
        tick: tickOf(RESTING[direction]) ?? 0,
        stakeMicros: toMicros(integerBetween(random, 20, 90)),
        ...(chance(0.5) && { keepOpenInRunning: true }),
      };
      const take = {
        ...common,
        take: `${outcome} ${direction}`,
        tick: tickOf(direction === 'for' ? 2.3 : 2.5) ?? 0,
        stakeMicros: toMicros(integerBetween(random, 30, 90)),
      };
      return chance(0.8) ? [quote] : [take];
    }),
  );
  /** What changes on a selection at the beginning of a period, and what is traded in its middle. */
  const changes = (period: number, selection: number, isSuspended: boolean): Step[] => {
    const atMs = period * PERIOD_MS;
    const isTold = (): boolean => period === 0 || chance(0.5);
    const offered = ([side, price]: readonly [Direction, number]): Step[] =>
      isTold() ? [[atMs, side, price, integerBetween(random, 10, 60), selection]] : [];
    const traded = (side: Direction): Step[] =>
      !isSuspended && chance(0.9)
        ? [[atMs + PERIOD_MS / 2, `trade ${side}`, RESTING[side], integerBetween(random, 5, 40), selection]]
        : [];
    return [...OFFERED.flatMap(offered), ...DIRECTIONS.flatMap(traded)];
  };
  const steps: Step[] = [];
  let [isInPlay, isSuspended] = [false, false];
  for (let period = 0; period < PERIODS; period++) {
    isInPlay ||= period > 0 && chance(0.4);
    isSuspended = period > 0 && !isSuspended && chance(0.3);
    steps.push([period * PERIOD_MS, 'state', (isSuspended ? suspended : open) + (isInPlay ? inPlay : 0)]);
    for (const selection of OUTCOMES.keys()) steps.push(...changes(period, selection, isSuspended));
  }
  const ordered = steps.toSorted((a, b) => a[0] - b[0]);
  const tape = tapeOf([...ordered, [PERIODS * PERIOD_MS, 'state', closed]], {
    selections: OUTCOMES.map((outcome) => ({ outcome })),
    markets: [{ marketType: 'ml' }],
  });
  return { orders, tape: inTennis(tape) };
}

const byPeriod = ({ fills }: ScenarioResult): string[] =>
  fills
    .map(
      ({ atMs, selectionId: on, direction, stakeMicros, tick, inPlay: isInPlay }) =>
        `${on} in period ${Math.floor((atMs - TAPE_START_MS) / PERIOD_MS)}: ${direction} ${fromMicros(stakeMicros)} @ ${priceOf(tick)}${isInPlay ? ' in play' : ''}`,
    )
    .toSorted();

it.each([
  ['allowed', true],
  ['not allowed', false],
])(
  'generated orders get the same fills in both engines where trading in play is %s',
  async (_, isAllowed) => {
    const inPlayIs = (config: Config): Config => {
      const { guards = {} } = config.risk as { readonly guards?: { readonly disabled?: readonly string[] } };
      // The guard of the start, which the fast engine lacks, closes what is to stay open.
      const disabled = [...(guards.disabled ?? []), 'start'];
      return {
        ...config,
        universe: { ...config.universe, inPlay: true },
        risk: { ...config.risk, inPlay: { allowed: isAllowed }, guards: { ...guards, disabled } },
      };
    };
    let [filled, late] = [0, 0];
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { orders, tape } = generated(seed);
      const [fast, full] = (await inBothEngines(FILE, { takes: orders }, tape, inPlayIs)).map(byPeriod);
      expect([seed, fast]).toEqual([seed, full]);
      filled += full?.length ?? 0;
      late += full?.filter((each) => each.endsWith('in play')).length ?? 0;
    }
    expect(filled).toBeGreaterThan(isAllowed ? SEEDS : 0);
    expect(late > 0).toBe(isAllowed);
  },
);
