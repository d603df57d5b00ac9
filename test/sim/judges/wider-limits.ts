import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import { Allowances } from '../allowance.ts';
import type { WiderScope } from '../limits.ts';
import { PAID } from '../position-bracket.ts';
import type { World } from '../world.ts';
import { WorstCases } from '../worst-case.ts';
import type { MakeJudgement } from './judge.ts';

const MICROS = 1_000_000;
/** Each event's worst case is rounded by itself. */
const ROUNDING_MICROS = 100;

/** 9: the worst cases of all events of a competition, a sport, a day and the account add up to no more than its limit. */
export const widerLimits: MakeJudgement = ({ world, plan, fail }) => {
  const { limits, eventLimitUsdt } = plan.daemon;
  const scope = limits?.scope;
  if (scope === undefined) return {};
  const sums = new Sums((eventId) => nameIn(scope, world, eventId));
  const worst = new WorstCases((eventId) => world.sportOf(eventId));
  const over = new Set<string>();
  const allowances = new Allowances(plan);
  let isShared = false;
  return {
    onEvent(changed) {
      // What people place counts too, and is theirs to answer for.
      isShared ||= changed.some(({ requestUuid }) => requestUuid === null);
      if (isShared) return;
      for (const order of changed)
        if (PAID.has(order.status) && world.isDecided(order.eventId)) over.add(order.eventId);
      const last = [...worst.after(changed)];
      for (const { eventId, worstMicros } of last) sums.set(eventId, over.has(eventId) ? 0 : worstMicros);
      const takenBack = last.some((each) => each.takenBack);
      const nowMs = world.clock.monotonicMs();
      for (const [name, micros] of sums.of(changed))
        if (!allowances.take(name, micros + ROUNDING_MICROS, takenBack, nowMs))
          fail(`9 worst case of the ${scope}`, `${micros / MICROS} USDT in ${name}, limit ${eventLimitUsdt}`);
    },
  };
};

/** Worst cases of events, added up by what contains them. */
class Sums {
  readonly #nameOf: (eventId: string) => string;
  readonly #names = new Map<string, string>();
  readonly #worst = new Map<string, number>();
  readonly #sums = new Map<string, number>();

  constructor(nameOf: (eventId: string) => string) {
    this.#nameOf = nameOf;
  }

  set(eventId: string, micros: number): void {
    const name = this.#name(eventId);
    const before = this.#worst.get(eventId) ?? 0;
    this.#worst.set(eventId, micros);
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + micros - before);
  }

  /** The sums that these orders are in. */
  of(orders: readonly InspectedOrder[]): Map<string, number> {
    const names = new Set(orders.map(({ eventId }) => this.#name(eventId)));
    return new Map(Array.from(names, (name) => [name, this.#sums.get(name) ?? 0]));
  }

  #name(eventId: string): string {
    const known = this.#names.get(eventId) ?? this.#nameOf(eventId);
    this.#names.set(eventId, known);
    return known;
  }
}

/** What of its kind an event is in, by the exchange's word. */
function nameIn(scope: WiderScope, world: World, eventId: string): string {
  const event = world.inspectEvents().find((each) => each.eventId === eventId);
  if (scope === 'competition') return `competition ${event?.competitionId}`;
  if (scope === 'sport') return `sport ${event?.sport}`;
  if (scope === 'day') return new Date(event?.startTimeMs ?? 0).toISOString().slice(0, 10);
  return 'the account';
}
