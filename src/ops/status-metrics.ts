import type { Metrics } from '../ports/metrics.ts';
import type { ProfitWords, Status } from '../read-model/status.ts';

/** An amount that is not known. Prometheus compares it with nothing, so no alert fires on it. */
const UNKNOWN = NaN;

/** The kinds of profit, and their values; all of them unknown while there is no profit. */
const profitKinds = (words: ProfitWords | null): readonly (readonly [kind: string, usdt: number])[] => [
  ['settled', words?.settled ?? UNKNOWN],
  ['locked', words?.locked ?? UNKNOWN],
  ['expected', words?.expected ?? UNKNOWN],
  ['close_now', words?.closeNow ?? UNKNOWN],
];

const SOURCES = ['spread', 'move', 'settlement', 'unattributed'] as const;

/** Registers the gauges that show the status. Returns a function that sets all of them. */
export function statusMetrics(metrics: Metrics): (status: Status) => void {
  const setters = [quotingGauges, profitGauges, moneyGauges, riskGauges, orderGauges, paperGauges].map((of) =>
    of(metrics),
  );
  return (status) => {
    for (const set of setters) set(status);
  };
}

type Setter = (status: Status) => void;

function quotingGauges(metrics: Metrics): Setter {
  const ready = metrics.gauge('touchline_ready', 'Whether orders can be placed, as /readyz tells');
  const selections = metrics.gauge(
    'touchline_selections',
    'Selections for which the strategy wants quotes, and of these those quoted, also on both sides',
    ['state'],
  );
  const ratio = metrics.gauge('touchline_two_sided_ratio', 'Share of the wanted time quoted on both sides');
  const notQuoting = metrics.gauge(
    'touchline_not_quoting_seconds',
    'How long something has been wanted while nothing was quoted',
  );
  return ({ state, quoting, twoSidedQuoteRatio }) => {
    ready.set(state === 'quoting' ? 1 : 0);
    selections.set(quoting.wanted, { state: 'wanted' });
    selections.set(quoting.quoted, { state: 'quoted' });
    selections.set(quoting.twoSided, { state: 'two_sided' });
    ratio.set(twoSidedQuoteRatio);
    notQuoting.set(quoting.notQuotingS ?? 0);
  };
}

function profitGauges(metrics: Metrics): Setter {
  const account = metrics.gauge('touchline_account_profit_usdt', 'Profit of the account, by kind', ['kind']);
  const notClosable = metrics.gauge(
    'touchline_not_closable_events',
    'Events whose open bets cannot be closed now; close_now leaves them out',
  );
  const ofStrategy = metrics.gauge('touchline_profit_usdt', 'Profit of a strategy, by kind', [
    'kind',
    'strategy',
  ]);
  const ofDay = metrics.gauge('touchline_profit_today_usdt', 'Profit of the trading day, by kind', ['kind']);
  const sources = metrics.gauge(
    'touchline_profit_sources_usdt',
    'Where the profit of settled orders came from',
    ['source'],
  );
  const markouts = metrics.gauge(
    'touchline_markout_ratio',
    'Worth of fills some seconds later, as a share of their stake',
    ['horizon_seconds'],
  );
  return ({ profit }) => {
    for (const [kind, usdt] of profitKinds(profit.run)) account.set(usdt, { kind });
    notClosable.set(profit.run.notClosable?.length ?? 0);
    for (const [kind, usdt] of profitKinds(profit.today)) ofDay.set(usdt, { kind });
    for (const { name: strategy, ...words } of profit.byStrategy)
      for (const [kind, usdt] of profitKinds(words)) ofStrategy.set(usdt, { kind, strategy });
    for (const source of SOURCES) sources.set(profit.sources[source], { source });
    for (const { horizonS, ratio } of profit.markouts)
      markouts.set(ratio, { horizon_seconds: `${horizonS}` });
  };
}

function moneyGauges(metrics: Metrics): Setter {
  const balance = metrics.gauge('touchline_balance_usdt', 'Balance as the exchange last reported it');
  const openStake = metrics.gauge('touchline_open_stake_usdt', 'Open stake as the exchange last reported it');
  const turnover = metrics.gauge('touchline_turnover_usdt', 'Stake matched today');
  return ({ account, turnover: matched }) => {
    balance.set(account.balance ?? UNKNOWN);
    openStake.set(account.openStake ?? UNKNOWN);
    turnover.set(matched);
  };
}

function riskGauges(metrics: Metrics): Setter {
  const uses = metrics.gauge('touchline_risk_use', 'What a limit of the account is compared with', ['limit']);
  const limits = metrics.gauge('touchline_risk_limit', 'A limit of the account, by its setting', ['limit']);
  const budgets = metrics.gauge('touchline_budget_left', 'Requests that the exchange still allows', [
    'budget',
  ]);
  return ({ limits: all, budgets: { ordersNow, betslipsNow, betslipsToday } }) => {
    for (const { name, use, limit } of all) {
      uses.set(use, { limit: name });
      limits.set(limit, { limit: name });
    }
    const left = { orders: ordersNow, betslips: betslipsNow, betslips_today: betslipsToday };
    for (const [budget, requests] of Object.entries(left)) budgets.set(requests, { budget });
  };
}

function orderGauges(metrics: Metrics): Setter {
  const oldest = metrics.gauge(
    'touchline_oldest_unknown_order_seconds',
    'The longest time for which the outcome of an order has been unknown; 0 if no outcome is',
  );
  const open = metrics.gauge('touchline_open_orders', 'Our orders that are not over');
  return ({ oldestUnknownOrderS, ordersOpen }) => {
    oldest.set(oldestUnknownOrderS ?? 0);
    open.set(ordersOpen);
  };
}

/** A run that is not on paper has none of these. */
function paperGauges(metrics: Metrics): Setter {
  const register = () => ({
    fills: metrics.gauge('touchline_paper_fills', 'Fills of the same orders under each fill model', [
      'model',
    ]),
    stake: metrics.gauge('touchline_paper_stake_matched_usdt', 'Stake of these fills', ['model']),
    profit: metrics.gauge('touchline_paper_profit_usdt', 'Profit of these fills', ['model']),
  });
  let gauges: ReturnType<typeof register> | null = null;
  return ({ paperFills }) => {
    if (paperFills === undefined) return;
    gauges ??= register();
    for (const { model, fills, stakeMatched, profitLoss } of paperFills.models) {
      gauges.fills.set(fills, { model });
      gauges.stake.set(stakeMatched, { model });
      gauges.profit.set(profitLoss, { model });
    }
  };
}
