import type { SelectionId } from '../../../src/domain/ids.ts';
import type { Ledger } from '../../../src/ledger/index.ts';
import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import { eventKey } from '../../../src/simulator/core/catalogue.ts';
import type { JournalView } from '../journal-view.ts';
import { PAID, type Position, positionOf } from '../position-bracket.ts';
import { eventOf } from '../selections.ts';
import type { World } from '../world.ts';
import type { MakeJudgement } from './judge.ts';

/** Without faults, everything that happened longer ago than this is known, updates windows included. */
const KNOWN_AFTER_MS = 200_000;
const DECIDED: ReadonlySet<string> = new Set(['settled', 'void']);
const MICROS = 1_000_000;
/** Amounts travel as decimals, each rounded by itself. */
const ROUNDING_MICROS = 1_000;

interface Result {
  readonly atMs: number;
  readonly micros: number;
}

/** 8: at rest the result and the positions are what the exchange has paid and matched, by its balance and its fills. */
export const money: MakeJudgement = ({ world, journal, fail }) => {
  const balance = (): number => world.inspectAccounts()[0]?.balanceMicros ?? 0;
  const startMicros = balance();
  const paidMs = new Map<string, number>();
  let results: readonly Result[] = [{ atMs: 0, micros: 0 }];
  const nowMs = (): number => world.clock.monotonicMs();
  const isKnown = (key: string): boolean => nowMs() - (paidMs.get(key) ?? -Infinity) > KNOWN_AFTER_MS;

  const resultIsTheirs = (ledger: Ledger): void => {
    const { realisedMicros: here } = ledger.profitLoss(() => null);
    const there = lately(results, nowMs()).map(({ micros }) => micros);
    if (there.some((micros) => Math.abs(micros - here) < ROUNDING_MICROS)) return;
    fail('8 result', `${here / MICROS} USDT booked, ${(there.at(-1) ?? 0) / MICROS} paid by the exchange`);
  };
  const positionsAreTheirs = (ledger: Ledger): void => {
    const matched = matchedOn(world, journal);
    const held = Map.groupBy(ledger.selections(), (id) => eventKey(eventOf(id)));
    for (const key of new Set([...held.keys(), ...matched.keys()])) {
      const here = positionOn(ledger, held.get(key) ?? []);
      const there = matchedPosition(matched.get(key) ?? []);
      if (isKnown(key) && !isAlike(here, there))
        fail('8 positions', `on ${key} ${textOf(here)} here, ${textOf(there)} by the fills`);
    }
  };
  return {
    onEvent(changed) {
      for (const order of changed) if (PAID.has(order.status)) paidMs.set(eventKey(order), nowMs());
      const micros = balance() - startMicros;
      if (results.at(-1)?.micros !== micros)
        results = [...lately(results, nowMs()), { atMs: nowMs(), micros }];
    },
    atRest() {
      const ledger = world.run?.composed.parts.core.ledger;
      if (ledger === undefined) return;
      resultIsTheirs(ledger);
      positionsAreTheirs(ledger);
    },
  };
};

/** The results that stood at some time lately: the last one from before, and those since. */
function lately(results: readonly Result[], nowMs: number): readonly Result[] {
  const since = results.findIndex(({ atMs }) => atMs > nowMs - KNOWN_AFTER_MS);
  return results.slice(Math.max(0, (since < 0 ? results.length : since) - 1));
}

/**
 * Orders with bets, people's included, of events that are not decided. Bets that were taken back before anybody had told of
 * them come into no position, though their order may stay open.
 */
function matchedOn(world: World, { booked }: JournalView): Map<string, InspectedOrder[]> {
  const events = world.inspectEvents();
  const open = new Set(events.flatMap((event) => (DECIDED.has(event.phase ?? '') ? [] : [eventKey(event)])));
  const matched = world.orders.all().map((order) => ({
    ...order,
    fills: order.fills.filter(({ betId, voided }) => !voided || booked.has(betId)),
  }));
  return Map.groupBy(
    matched.filter((order) => order.fills.length > 0 && open.has(eventKey(order))),
    eventKey,
  );
}

function matchedPosition(orders: readonly InspectedOrder[]): Position {
  const positions = orders.map(positionOf);
  return {
    winMicros: positions.reduce((sum, { winMicros }) => sum + winMicros, 0),
    loseMicros: positions.reduce((sum, { loseMicros }) => sum + loseMicros, 0),
  };
}

function positionOn(ledger: Ledger, selections: readonly SelectionId[]): Position {
  const outcomes = selections.map((id) => ledger.position(id));
  return {
    winMicros: outcomes.reduce((sum, { ifWinMicros }) => sum + ifWinMicros, 0),
    loseMicros: outcomes.reduce((sum, { ifLoseMicros }) => sum + ifLoseMicros, 0),
  };
}

const isAlike = (a: Position, b: Position): boolean =>
  Math.abs(a.winMicros - b.winMicros) < ROUNDING_MICROS &&
  Math.abs(a.loseMicros - b.loseMicros) < ROUNDING_MICROS;

const textOf = ({ winMicros, loseMicros }: Position): string =>
  `${winMicros / MICROS} and ${loseMicros / MICROS} USDT`;
