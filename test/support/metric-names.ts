/** Metrics of the rules and the dashboard that another part of the daemon is about to register. */
export const COMING_METRICS: readonly string[] = [
  ...[
    'touchline_ready',
    'touchline_selections',
    'touchline_two_sided_ratio',
    'touchline_not_quoting_seconds',
  ],
  ...['touchline_profit_usdt', 'touchline_account_profit_usdt', 'touchline_profit_today_usdt'],
  ...['touchline_profit_sources_usdt', 'touchline_markout_ratio', 'touchline_balance_usdt'],
  ...['touchline_open_stake_usdt', 'touchline_turnover_usdt', 'touchline_risk_use', 'touchline_risk_limit'],
  ...['touchline_budget_left', 'touchline_oldest_unknown_order_seconds', 'touchline_open_orders'],
  'touchline_money_residual_usdt',
];
