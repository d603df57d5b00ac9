import type { EventName } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { EMPTY_PRICE_LIST, levelCount } from '../../domain/price-list.ts';
import { type Direction, DIRECTIONS, selectionFrom } from '../../domain/selection.ts';
import type { OrderManager } from '../../orders/api.ts';
import { reasonInWords, REASONS } from '../../orders/send-gate.ts';
import type { WaitingQuote } from '../../orders/targets/reconcile.ts';
import type { Stage } from '../../risk/index.ts';
import type { Core } from '../core.ts';
import { absentOwnerMessage } from '../strategies.ts';
import { latchInWords, latchOf } from '../strategy-latch.ts';
import {
  refusalCode,
  type RefusedQuote,
  refusedInWords,
  type StrategyThrow,
  throwInWords,
} from '../strategy-faults.ts';

/** The present faults of strategies. */
export interface PresentFaults {
  /** The strategy's present throw on an event; null if it answers. */
  strategyThrows(event: EventName): StrategyThrow | null;
  /** What the host refuses on one side of a selection; null for nothing. */
  refusedQuote(event: EventName, id: SelectionId, direction: Direction): RefusedQuote | null;
}

/** Why a stage around risk blocks one direction of a selection. */
interface Finding {
  readonly stage: Stage;
  readonly code: string;
  readonly message: string;
}

/** The stages that are examined here; risk notes the others itself. */
const STAGES: readonly Stage[] = ['market', 'strategy', 'person', 'budget', 'orders'];

/**
 * Notes for `why` which stage outside risk blocks each chosen selection: no prices, no quote wanted, no budget, or no order yet.
 */
export class QuoteReasons {
  readonly #core: Pick<Core, 'market' | 'risk' | 'strategies' | 'adjustments'>;
  readonly #orders: Pick<OrderManager, 'status'>;
  readonly #faults: PresentFaults;
  #chosen: ReadonlySet<SelectionId> = new Set();

  constructor(
    core: Pick<Core, 'market' | 'risk' | 'strategies' | 'adjustments'>,
    orders: Pick<OrderManager, 'status'>,
    faults: PresentFaults,
  ) {
    [this.#core, this.#orders, this.#faults] = [core, orders, faults];
  }

  /** Call it often, with all selections that are quoted now. */
  look(chosen: ReadonlySet<SelectionId>): void {
    for (const id of this.#chosen) if (!chosen.has(id)) this.#core.risk.forgetReasons(id);
    this.#chosen = chosen;
    const waiting = new Map<string, WaitingQuote>();
    for (const quote of this.#orders.status().waiting) waiting.set(slotOf(quote.intent), quote);
    for (const selectionId of chosen)
      for (const direction of DIRECTIONS)
        this.#note(selectionId, direction, waiting.get(slotOf({ selectionId, direction })) ?? null);
  }

  #note(selectionId: SelectionId, direction: Direction, waiting: WaitingQuote | null): void {
    const found = this.#find(selectionId, direction, waiting);
    for (const stage of STAGES) {
      if (stage !== found?.stage) this.#core.risk.clearNote(selectionId, stage, direction);
    }
    if (found !== null) this.#core.risk.note(selectionId, { ...found, direction, actual: null, limit: null });
  }

  #find(selectionId: SelectionId, direction: Direction, waiting: WaitingQuote | null): Finding | null {
    const event = selectionFrom(selectionId);
    const ofStrategy = event === null ? null : this.#findInStrategy(event, selectionId);
    if (ofStrategy !== null) return ofStrategy;
    if (waiting !== null) return findingOf(waiting);
    if (this.#core.risk.wants(selectionId, direction)) return null;
    const refused = event === null ? null : this.#faults.refusedQuote(event, selectionId, direction);
    if (refused !== null)
      return { stage: 'strategy', code: refusalCode(refused), message: refusedInWords(refused) };
    const prices = this.#core.market.marketOf(selectionId);
    if (DIRECTIONS.every((each) => prices[each] === null))
      return { stage: 'market', code: 'no_prices', message: 'nothing fresh is offered' };
    const empty = DIRECTIONS.filter((each) => levelCount(prices[each] ?? EMPTY_PRICE_LIST) === 0);
    if (empty.length === DIRECTIONS.length)
      return { stage: 'market', code: 'no_prices', message: 'nothing is offered on either side' };
    if (this.#core.market.reachesMid(selectionId, direction) === false) {
      const message = 'the ladder of our orders on this side does not reach the market';
      return { stage: 'market', code: 'no_tick', message };
    }
    const missing = empty.map((each) => `; there is no price to ${each === 'for' ? 'back' : 'lay'} at`);
    return { stage: 'strategy', code: 'no_quote', message: `the strategy wants none${missing.join('')}` };
  }

  #findInStrategy(event: EventName, selectionId: SelectionId): Finding | null {
    const { risk, strategies, adjustments } = this.#core;
    const left = adjustments.of(event).find(({ what }) => what === 'leave');
    if (left !== undefined)
      return { stage: 'person', code: 'left', message: `left as it is by ${left.by}: ${left.why}` };
    const owner = strategies.quoterOf(event);
    const omission = strategies.omissionOf(event, selectionId);
    if (omission !== null) return { stage: 'strategy', code: 'no_match', message: omission };
    if (owner === null) return null;
    if (!strategies.runs(owner))
      return { stage: 'strategy', code: 'owner_absent', message: absentOwnerMessage(owner) };
    const latch = latchOf(risk, owner);
    if (latch !== null) return { stage: 'strategy', code: 'hung', message: latchInWords(latch) };
    const thrown = this.#faults.strategyThrows(event);
    return thrown === null ? null : { stage: 'strategy', code: 'threw', message: throwInWords(thrown) };
  }
}

const slotOf = (of: { readonly selectionId: SelectionId; readonly direction: Direction }): string =>
  `${of.selectionId}#${of.direction}`;

function findingOf(waiting: WaitingQuote): Finding | null {
  const { code } = waiting;
  const { stage } = REASONS[code];
  // Risk has already noted its own refusal, with numbers.
  return stage === 'risk' ? null : { stage, code, message: reasonInWords(waiting) };
}
