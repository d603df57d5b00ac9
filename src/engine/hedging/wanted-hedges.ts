import { eventKey, type EventName } from '../../domain/events.ts';
import type { HedgeIntent } from '../../domain/hedge-intent.ts';
import type { StrategyProblem } from '../../strategy/host.ts';
import type { Hedging } from './hedging.ts';
import type { Answered } from '../strategies.ts';
import { type Hedges, orderOf, quotesBeside } from './hedges.ts';

/** A hedge that a strategy asked for and that cannot be made now. */
export interface RefusedHedge {
  readonly hedge: string;
  readonly why: string;
}

interface Refusal {
  /** Null: there is nothing to hedge. */
  readonly why: string | null;
  /** It is planned again from then on. */
  readonly retryMs: number;
}

/** A hedge that was refused is planned again after this long, if it is still wanted. */
const RETRY_MS = 1_000;

const NONE: readonly RefusedHedge[] = [];

/**
 * Makes the hedges that strategies ask for, with the planner of a person's hedges: one after the other on each event, because each is planned
 * as if no other were matched. In the daemon, in backtests and in scenarios.
 */
export class WantedHedges {
  readonly #planner: Pick<Hedging, 'plan'>;
  readonly #hedges: Pick<Hedges, 'takeOfStrategy' | 'keepWanted' | 'wasMade' | 'isAtWorkOn'>;
  readonly #refused = new Map<string, Refusal>();

  constructor(
    planner: Pick<Hedging, 'plan'>,
    hedges: Pick<Hedges, 'takeOfStrategy' | 'keepWanted' | 'wasMade' | 'isAtWorkOn'>,
  ) {
    [this.#planner, this.#hedges] = [planner, hedges];
  }

  /** Makes what the strategy of an event wants now, and ends what it wants no more. Returns what cannot be made. */
  make(event: EventName, wanted: readonly HedgeIntent[], nowMs: number): readonly RefusedHedge[] {
    this.#hedges.keepWanted(event, new Set(wanted.map(({ hedge }) => hedge)), nowMs);
    if (wanted.length === 0) return NONE;
    const refused: RefusedHedge[] = [];
    for (const intent of wanted) {
      const { hedge } = intent;
      if (this.#hedges.wasMade(event, hedge)) continue;
      // The bets of the others may still be matched.
      if (this.#hedges.isAtWorkOn(event, nowMs)) break;
      const why = this.#refusalOf(event, intent, nowMs);
      if (why !== null) refused.push({ hedge, why });
    }
    return refused;
  }

  /** Makes a hedge. Returns why it cannot be made; null if it was, or if there is nothing to hedge. */
  #refusalOf(
    event: EventName,
    { hedge, goal, way = 'take', reason }: HedgeIntent,
    nowMs: number,
  ): string | null {
    const key = `${eventKey(event)} ${hedge}`;
    const known = this.#refused.get(key);
    if (known !== undefined && nowMs < known.retryMs) return known.why;
    this.#refused.delete(key);
    const answer = this.#planner.plan({ event, goal, way });
    if (answer.kind === 'refused') {
      const why = answer.isNeedless === true ? null : answer.why;
      this.#refused.set(key, { why, retryMs: nowMs + RETRY_MS });
      this.#forgetOld(nowMs);
      return why;
    }
    const order = orderOf(answer, hedge);
    this.#hedges.takeOfStrategy(reason === undefined ? order : { ...order, reason }, nowMs);
    return null;
  }

  #forgetOld(nowMs: number): void {
    for (const [key, { retryMs }] of this.#refused) if (nowMs - retryMs > RETRY_MS) this.#refused.delete(key);
  }
}

interface HedgingDeciders {
  readonly hedges: Pick<Hedges, 'intentsOn'>;
  readonly wantedHedges: Pick<WantedHedges, 'make'>;
}

/** The quotes of an answer beside the bets of all hedges of its event, and a fault for each hedge that the strategy wants in vain. */
export function withHedges(
  { hedges, wantedHedges }: HedgingDeciders,
  event: EventName,
  { owner, intents: quotes, problems, hedges: wanted = [] }: Omit<Answered, 'view' | 'event'>,
  nowMs: number,
): Pick<Answered, 'intents' | 'problems'> {
  if (owner === null) return { intents: quotes, problems };
  const refused = wantedHedges.make(event, wanted, nowMs);
  const hedging = hedges.intentsOn(event, nowMs);
  const intents = hedging.length === 0 ? quotes : [...quotesBeside(hedging, quotes), ...hedging];
  if (refused.length === 0) return { intents, problems };
  return { intents, problems: [...problems, ...refused.map((each) => problemOf(owner, event, each))] };
}

const problemOf = (
  strategy: string,
  { sport, eventId }: EventName,
  { hedge, why }: RefusedHedge,
): StrategyProblem => ({
  kind: 'hedge-refused',
  strategy,
  sport,
  eventId,
  selectionId: null,
  message: `hedge ${hedge} is not made: ${why}`,
});
