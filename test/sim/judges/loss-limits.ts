import type { InspectedOrder, SimEventName } from '../../../src/simulator/core/api.ts';
import { knownAfterMs } from '../allowance.ts';
import { PartPaid } from '../partial-settlement.ts';
import { PositionBracket } from '../position-bracket.ts';
import { traitsOf } from '../traits.ts';
import type { World } from '../world.ts';
import type { MakeJudgement } from './judge.ts';

const MICROS = 1_000_000;
const BY_LIMIT = 'loss limit';
const TAKEN_BACK: readonly string[] = ['full_void', 'partial_void'];
/**
 * For this long, an event of which only some bets are settled is judged by what it came to before. The daemon has heard of the last
 * of them when it has heard of everything, once the exchange has paid all of them; but it takes single ones back.
 */
const SETTLED_WITHIN_MS = 300_000;

/** 9: a loss limit stops the daemon only when the exchange's own bets can have lost so much. */
export const lossLimits: MakeJudgement = ({ world, plan, journal, fail }) => {
  const limitUsdt = plan.daemon.limits?.lossUsdt;
  if (limitUsdt === undefined) return {};
  const nameOf = (order: InspectedOrder): string => {
    const sport = journal.intended.get(order.requestUuid ?? '')?.place.sport;
    // An order that the journal does not know stands alone.
    return `${sport ?? order.orderId}|${order.eventId}|${order.betType.replace(/^\w+,/, '')}`;
  };
  const startMicros = balanceOf(world);
  const { resultsMs } = traitsOf(plan);
  const knownMs = knownAfterMs(plan) + resultsMs;
  const takenBackKnownMs = knownMs + SETTLED_WITHIN_MS;
  const isDecided = (event: SimEventName): boolean => world.isDecided(event);
  const partPaid = new PartPaid({ isDecided, resultsMs, takenBackMs: takenBackKnownMs });
  // As the exchange has paid, and with events that it pays one order after the other as they were before.
  const [paid, whole] = [new Worth(nameOf, takenBackKnownMs), new Worth(nameOf, takenBackKnownMs)];
  /** The daemon has waited for as long as it does for the last order of an event, and may not have heard of it. */
  const mayGoByParts = (atMs: number): boolean =>
    partPaid.anyBetween(SETTLED_WITHIN_MS, knownAfterMs(plan), atMs);
  let takenBackMs = -Infinity;
  let highestMicros = 0;
  let judgedMs = -Infinity;
  let realised = 0;
  return {
    onEvent(changed) {
      const atMs = world.clock.monotonicMs();
      if (changed.some(({ status }) => TAKEN_BACK.includes(status))) takenBackMs = atMs;
      const before = realised;
      realised = balanceOf(world) - startMicros;
      const counted = partPaid.after(changed, realised - before, atMs);
      paid.see(changed, realised, atMs);
      whole.see(counted, realised - partPaid.paidMicros, atMs);
      const unawareMs = atMs - takenBackMs < takenBackKnownMs ? takenBackKnownMs : knownMs;
      const worth = mayGoByParts(atMs) ? paid : whole;
      highestMicros = Math.max(highestMicros, whole.highestSince(atMs), worth.highestSince(atMs - unawareMs));
      const killed = world.run?.composed.core.risk.killed;
      // Later runs read of the same stop, which only its own time can judge.
      if (killed?.by === BY_LIMIT && killed.atMs !== judgedMs) {
        judgedMs = killed.atMs;
        const leastMicros = Math.min(
          whole.lowestSince(atMs - unawareMs),
          worth.lowestSince(atMs - unawareMs),
        );
        const lostUsdt = (highestMicros - leastMicros) / MICROS;
        if (lostUsdt < limitUsdt) fail('9 loss limit', `stopped, and ${lostUsdt} USDT is lost at most`);
        world.note('path: stopped by a loss limit');
      }
    },
  };
};

interface Instant {
  readonly atMs: number;
  readonly micros: number;
}

/** Between what all bets, paid or not, can have come to in a while. */
class Worth {
  readonly #bracket: PositionBracket;
  readonly #forMs: number;
  #lowest: readonly Instant[] = [];
  /** Their amounts are negated. */
  #highest: readonly Instant[] = [];

  constructor(nameOf: (order: InspectedOrder) => string, forMs: number) {
    this.#bracket = new PositionBracket(nameOf);
    this.#forMs = forMs;
  }

  see(changed: readonly InspectedOrder[], realised: number, atMs: number): void {
    for (const order of changed) this.#bracket.see(order);
    const { leastMicros, mostMicros } = this.#bracket;
    this.#lowest = withLowest(this.#lowest, { atMs, micros: realised + leastMicros }, this.#forMs);
    this.#highest = withLowest(this.#highest, { atMs, micros: 0 - realised - mostMicros }, this.#forMs);
  }

  lowestSince(sinceMs: number): number {
    return firstSince(this.#lowest, sinceMs);
  }

  highestSince(sinceMs: number): number {
    return 0 - firstSince(this.#highest, sinceMs);
  }
}

/** The last one is of now. */
const firstSince = (lowest: readonly Instant[], sinceMs: number): number =>
  (lowest.find(({ atMs }) => atMs >= sinceMs) as Instant).micros;

/** The lowest of all that may not be known yet first, then the lowest since each: what no later one is below of. */
function withLowest(lowest: readonly Instant[], now: Instant, unawareMs: number): readonly Instant[] {
  const kept = lowest.filter(({ atMs, micros }) => micros < now.micros && atMs > now.atMs - unawareMs);
  return [...kept, now];
}

const balanceOf = (world: World): number => world.inspectAccounts()[0]?.balanceMicros ?? 0;
