import { toldByMs } from '../allowance.ts';
import { PositionBracket } from '../position-bracket.ts';
import { traitsOf } from '../traits.ts';
import type { World } from '../world.ts';
import type { MakeJudgement } from './judge.ts';

const MICROS = 1_000_000;
const BY_LIMIT = 'loss limit';
const TAKEN_BACK = 'full_void';
/**
 * So long an event of which only some bets are settled is judged by what it came to before. The daemon has heard of the last
 * of them when it has heard of everything, once the exchange has paid all of them; but it takes single ones back.
 */
const SETTLED_WITHIN_MS = 300_000;

/** 9: a loss limit stops the daemon only when the exchange's own bets can have lost so much. */
export const lossLimits: MakeJudgement = ({ world, plan, journal, fail }) => {
  const limitUsdt = plan.daemon.limits?.lossUsdt;
  if (limitUsdt === undefined) return {};
  const bracket: PositionBracket = new PositionBracket((order) => {
    const sport = journal.intended.get(order.requestUuid ?? '')?.place.sport;
    // Without its sport an order stands alone.
    return `${sport ?? order.orderId}|${order.eventId}|${order.betType.replace(/^\w+,/, '')}`;
  });
  const startMicros = balanceOf(world);
  const toldMs = toldByMs(plan) + traitsOf(plan).resultsMs;
  const takenBackToldMs = toldMs + SETTLED_WITHIN_MS;
  let lowest: readonly Instant[] = [];
  let takenBackMs = -Infinity;
  let highestMicros = 0;
  let judgedMs = -Infinity;
  return {
    onEvent(changed) {
      const atMs = world.clock.monotonicMs();
      for (const order of changed) {
        bracket.see(order);
        if (order.status === TAKEN_BACK) takenBackMs = atMs;
      }
      const realised = balanceOf(world) - startMicros;
      highestMicros = Math.max(highestMicros, realised + bracket.mostMicros);
      lowest = withLowest(lowest, { atMs, micros: realised + bracket.leastMicros }, takenBackToldMs);
      const killed = world.run?.composed.risk.killed;
      // Later runs read of the same stop, which only its own time can judge.
      if (killed?.by === BY_LIMIT && killed.atMs !== judgedMs) {
        judgedMs = killed.atMs;
        const unawareMs = atMs - takenBackMs < takenBackToldMs ? takenBackToldMs : toldMs;
        const least = lowest.find((instant) => instant.atMs > atMs - unawareMs) as Instant;
        const lostUsdt = (highestMicros - least.micros) / MICROS;
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

/** The lowest of all that may not be known yet first, then the lowest since each: what no later one is below of. */
function withLowest(lowest: readonly Instant[], now: Instant, unawareMs: number): readonly Instant[] {
  const kept = lowest.filter(({ atMs, micros }) => micros < now.micros && atMs > now.atMs - unawareMs);
  return [...kept, now];
}

const balanceOf = (world: World): number => world.inspectAccounts()[0]?.balanceMicros ?? 0;
