import type { SelectionId } from '../../domain/ids.ts';
import type { Direction } from '../../domain/selection.ts';
import { DIRECTIONS } from '../../domain/selection.ts';
import type { Market } from '../../market/index.ts';
import type { OrderManager, WaitingQuote } from '../../orders/api.ts';
import { told, type WaitCode } from '../../orders/wait-code.ts';
import type { Risk, Stage } from '../../risk/index.ts';

export interface QuoteReasonsDeps {
  readonly market: Pick<Market, 'marketOf'>;
  readonly orders: Pick<OrderManager, 'status'>;
  readonly risk: Pick<Risk, 'wants' | 'note' | 'clearNote' | 'forgetReasons'>;
}

/** What the stages around risk make of one direction of a selection; null: they let it through. */
interface Finding {
  readonly stage: Stage;
  readonly code: string;
  readonly message: string;
}

/** Stages that are looked at here; risk itself notes the others. */
const STAGES: readonly Stage[] = ['market', 'strategy', 'budget', 'orders'];

/** Which stage each reason for waiting belongs to. */
const STAGE_OF: Readonly<Record<WaitCode, Stage>> = {
  not_started: 'orders',
  latched: 'orders',
  stopped: 'orders',
  draining: 'orders',
  stream_not_synced: 'orders',
  stream_closed: 'orders',
  stream_distrusted: 'orders',
  resync_under_way: 'orders',
  order_closed_by_others: 'orders',
  recovering_from_close_out: 'orders',
  heartbeat_of_an_earlier_run: 'orders',
  heartbeat_of_another_process: 'orders',
  another_installation: 'orders',
  watching_the_account: 'orders',
  engine_hangs: 'orders',
  kill_unfinished: 'orders',
  journal_failed: 'orders',
  invariant_broken: 'orders',
  heartbeat: 'orders',
  betslip_creating: 'orders',
  quote_pending: 'orders',
  quote_stale: 'orders',
  betslip_refused: 'orders',
  betslip_replaced: 'orders',
  market_stale: 'orders',
  would_take: 'orders',
  would_cross_own: 'orders',
  outcome_unknown: 'orders',
  replacing: 'orders',
  backing_off: 'orders',
  no_market: 'orders',
  stake_too_small: 'orders',
  slow_after_close_out: 'orders',
  betslip_cap: 'budget',
  betslip_budget: 'budget',
  betslip_pace: 'budget',
  betslip_turn: 'budget',
  in_flight_limit: 'budget',
  risk: 'risk',
};

/** Tells `why` what stages outside risk make of each chosen selection: no prices, no wish, no budget, no order yet. */
export class QuoteReasons {
  readonly #deps: QuoteReasonsDeps;
  #chosen: ReadonlySet<SelectionId> = new Set();

  constructor(deps: QuoteReasonsDeps) {
    this.#deps = deps;
  }

  /** Often, with all selections that are quoted now. */
  look(chosen: ReadonlySet<SelectionId>): void {
    for (const id of this.#chosen) if (!chosen.has(id)) this.#deps.risk.forgetReasons(id);
    this.#chosen = chosen;
    const waiting = new Map<string, WaitingQuote>();
    for (const quote of this.#deps.orders.status().waiting) waiting.set(slotOf(quote.intent), quote);
    for (const selectionId of chosen)
      for (const direction of DIRECTIONS)
        this.#tell(selectionId, direction, waiting.get(slotOf({ selectionId, direction })) ?? null);
  }

  #tell(selectionId: SelectionId, direction: Direction, waiting: WaitingQuote | null): void {
    const found = this.#find(selectionId, direction, waiting);
    for (const stage of STAGES) {
      if (stage !== found?.stage) this.#deps.risk.clearNote(selectionId, stage, direction);
    }
    if (found !== null) this.#deps.risk.note(selectionId, { ...found, direction, actual: null, limit: null });
  }

  #find(selectionId: SelectionId, direction: Direction, waiting: WaitingQuote | null): Finding | null {
    if (waiting !== null) return findingOf(waiting);
    if (this.#deps.risk.wants(selectionId, direction)) return null;
    const prices = this.#deps.market.marketOf(selectionId);
    if (DIRECTIONS.every((each) => prices[each] === null))
      return { stage: 'market', code: 'no_prices', message: 'nothing fresh is offered' };
    return { stage: 'strategy', code: 'no_quote', message: 'the strategy wants none' };
  }
}

const slotOf = (of: { readonly selectionId: SelectionId; readonly direction: Direction }): string =>
  `${of.selectionId}#${of.direction}`;

function findingOf(waiting: WaitingQuote): Finding | null {
  const { code } = waiting;
  const stage = STAGE_OF[code];
  // It has noted its own refusal, with numbers.
  return stage === 'risk' ? null : { stage, code, message: told(waiting).replaceAll('_', ' ') };
}
