import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { priceAt } from './ladder.ts';
import { isOver, sideOf } from './order-terms.ts';
import type { Side } from './order-terms.ts';
import type { Run, World } from './world.ts';

/** Each amount is rounded to a micro by itself. */
const ROUNDING_MICROS = 10_000;
const DECIDED: readonly string[] = ['settled', 'void'];

/** Events of which risk counts more or less than the exchange has at stake: bets that are not settled, and open orders. */
export function* miscounted(world: World, run: Run | null): Generator<string> {
  if (run === null) return;
  // Days after its end the exchange no longer knows an event.
  const undecided = new Set(
    world.inspectEvents().flatMap((event) => (isDecided(event.phase) ? [] : [event.eventId])),
  );
  const theirs = new Map<string, number>();
  for (const order of world.orders.all())
    if (undecided.has(order.eventId)) add(theirs, order.eventId, atStake(order));
  const onTheirWay = new Map<string, number>();
  for (const { state, eventId, direction, stakeMicros, tick } of run.composed.parts.orders.orders())
    if (!isOver(state) && state !== 'live' && state !== 'closing')
      add(onTheirWay, eventId, liability(direction, stakeMicros, priceAt(tick)));
  const ours = new Map<string, number>();
  for (const { eventId, grossMicros } of run.composed.risk.exposure().events) add(ours, eventId, grossMicros);
  for (const eventId of new Set([...theirs.keys(), ...ours.keys()])) {
    const [there, here] = [theirs.get(eventId) ?? 0, ours.get(eventId) ?? 0];
    const most = there + (onTheirWay.get(eventId) ?? 0) + ROUNDING_MICROS;
    if (here < there - ROUNDING_MICROS || here > most)
      yield `${there / 1e6} at stake on ${eventId}, ${here / 1e6} in risk`;
  }
}

const isDecided = (phase: string | undefined): boolean => DECIDED.includes(phase ?? '');

const add = (sums: Map<string, number>, key: string, more: number): void =>
  void sums.set(key, (sums.get(key) ?? 0) + more);

function atStake({
  betType,
  fills,
  closed,
  stakeMicros,
  filledMicros,
  price,
  wantPrice,
}: InspectedOrder): number {
  const direction = sideOf(betType) ?? 'for';
  // Others' orders show the limit that was asked for, which is never better.
  const open = closed ? 0 : liability(direction, stakeMicros - filledMicros, wantPrice ?? price);
  const standing = fills.filter(({ voided }) => !(voided && closed));
  return standing.reduce((sum, fill) => sum + liability(direction, fill.stakeMicros, fill.price), open);
}

const liability = (direction: Side, stakeMicros: number, price: number): number =>
  direction === 'for' ? stakeMicros : stakeMicros * (price - 1);
