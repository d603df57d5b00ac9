import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { eventKey } from '../../src/simulator/core/catalogue.ts';
import { priceAt } from './ladder.ts';
import { isOver, kindOf, liability } from './order-terms.ts';
import { eventsOf } from './selections.ts';
import type { Run, World } from './world.ts';

/** Each amount is rounded to a micro separately. */
const ROUNDING_MICROS = 10_000;
const DECIDED: readonly string[] = ['settled', 'void'];

/** Events of which risk counts more or less than the exchange has at stake: unsettled bets, and open orders. */
export function* miscounted(world: World, run: Run | null): Generator<string> {
  if (run === null) return;
  // The exchange forgets an event days after its end.
  const undecided = new Set(
    world.inspectEvents().flatMap((event) => (isDecided(event.phase) ? [] : [eventKey(event)])),
  );
  const theirs = new Map<string, number>();
  for (const order of world.orders.all())
    if (undecided.has(eventKey(order))) add(theirs, eventKey(order), atStake(order));
  const onTheirWay = new Map<string, number>();
  for (const order of run.composed.parts.orders.orders()) {
    const { state, priceKind, stakeMicros, tick } = order;
    if (!isOver(state) && state !== 'live' && state !== 'closing')
      add(onTheirWay, eventKey(order), liability(priceKind, stakeMicros, priceAt(tick)));
  }
  const sumOf = (sums: ReadonlyMap<string, number>, keys: readonly string[]): number =>
    keys.reduce((sum, key) => sum + (sums.get(key) ?? 0), 0);
  for (const { keys, grossMicros: here } of countedInRisk(run, theirs)) {
    const there = sumOf(theirs, keys);
    const most = there + sumOf(onTheirWay, keys) + ROUNDING_MICROS;
    if (here < there - ROUNDING_MICROS || here > most)
      yield `${there / 1e6} at stake on ${keys.join(' and ')}, ${here / 1e6} in risk`;
  }
}

interface Counted {
  /** Events that are counted together may share an event id. */
  readonly keys: readonly string[];
  readonly grossMicros: number;
}

/** The amounts that risk counts, and the events of `theirs` of which it counts nothing. */
function countedInRisk(run: Run, theirs: ReadonlyMap<string, number>): readonly Counted[] {
  const counted = run.composed.core.risk
    .exposure()
    .events.map(({ selections, grossMicros }) => ({ keys: eventsOf(selections).map(eventKey), grossMicros }));
  const known = new Set(counted.flatMap(({ keys }) => keys));
  const others = [...theirs.keys()].filter((key) => !known.has(key));
  return [...counted, ...others.map((key) => ({ keys: [key], grossMicros: 0 }))];
}

const isDecided = (phase: string | undefined): boolean => DECIDED.includes(phase ?? '');

const add = (sums: Map<string, number>, key: string, more: number): void =>
  void sums.set(key, (sums.get(key) ?? 0) + more);

function atStake(order: InspectedOrder): number {
  const { fills, closed, stakeMicros, filledMicros, price, wantPrice } = order;
  const kind = kindOf(order) ?? 'odds-for';
  // Foreign orders show their requested limit, which is never better.
  const open = closed ? 0 : liability(kind, stakeMicros - filledMicros, wantPrice ?? price);
  const standing = fills.filter(({ voided }) => !(voided && closed));
  return standing.reduce((sum, fill) => sum + liability(kind, fill.stakeMicros, fill.price), open);
}
