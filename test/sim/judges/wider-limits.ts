import type { InspectedOrder, SimEventName } from '../../../src/simulator/core/api.ts';
import { eventKey, isSameEvent } from '../../../src/simulator/core/catalogue.ts';
import { Allowances } from '../allowance.ts';
import type { WiderScope } from '../limits.ts';
import { PAID } from '../position-bracket.ts';
import type { World } from '../world.ts';
import { WorstCases } from '../worst-case.ts';
import type { MakeJudgement } from './judge.ts';

const MICROS = 1_000_000;
/** Each event's worst case is rounded separately. */
const ROUNDING_MICROS = 100;

/** 9: the worst cases of all events of a competition, a sport, a day and the account add up to no more than its limit. */
export const widerLimits: MakeJudgement = ({ world, plan, fail }) => {
  const { limits, eventLimitUsdt } = plan.daemon;
  const scope = limits?.scope;
  if (scope === undefined) return {};
  const sums = new Sums((event) => nameIn(scope, world, event));
  const worst = new WorstCases((event) => world.scoreOf(event));
  const over = new Set<string>();
  const allowances = new Allowances(plan);
  let isShared = false;
  return {
    onEvent(changed) {
      // Manual orders count too, and the person answers for them.
      isShared ||= changed.some(({ requestUuid }) => requestUuid === null);
      if (isShared) return;
      for (const order of changed)
        if (PAID.has(order.status) && world.isDecided(order)) over.add(eventKey(order));
      const last = [...worst.after(changed)];
      for (const { event, worstMicros } of last) sums.set(event, over.has(eventKey(event)) ? 0 : worstMicros);
      const takenBack = last.some((each) => each.takenBack);
      const nowMs = world.clock.monotonicMs();
      for (const [name, micros] of sums.of(changed))
        if (!allowances.take(name, micros + ROUNDING_MICROS, takenBack, nowMs))
          fail(`9 worst case of the ${scope}`, `${micros / MICROS} USDT in ${name}, limit ${eventLimitUsdt}`);
    },
  };
};

/** Worst cases of events, summed by their scopes. */
class Sums {
  readonly #nameOf: (event: SimEventName) => string;
  readonly #names = new Map<string, string>();
  readonly #worst = new Map<string, number>();
  readonly #sums = new Map<string, number>();

  constructor(nameOf: (event: SimEventName) => string) {
    this.#nameOf = nameOf;
  }

  set(event: SimEventName, micros: number): void {
    const name = this.#name(event);
    const before = this.#worst.get(eventKey(event)) ?? 0;
    this.#worst.set(eventKey(event), micros);
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + micros - before);
  }

  /** The sums that contain these orders. */
  of(orders: readonly InspectedOrder[]): Map<string, number> {
    const names = new Set(orders.map((order) => this.#name(order)));
    return new Map(Array.from(names, (name) => [name, this.#sums.get(name) ?? 0]));
  }

  #name(event: SimEventName): string {
    const key = eventKey(event);
    const known = this.#names.get(key) ?? this.#nameOf(event);
    this.#names.set(key, known);
    return known;
  }
}

/** The event's scope of this kind, as the exchange reports it. */
function nameIn(scope: WiderScope, world: World, named: SimEventName): string {
  const event = world.inspectEvents().find((each) => isSameEvent(each, named));
  if (scope === 'competition') return `competition ${event?.competitionId}`;
  if (scope === 'sport') return `sport ${event?.sport}`;
  if (scope === 'day') return new Date(event?.startTimeMs ?? 0).toISOString().slice(0, 10);
  return 'the account';
}
