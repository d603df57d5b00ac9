import type { ProfitReport, ProfitWords, Readiness, Status } from '../../src/read-model/status.ts';

const NO_PROFIT: ProfitWords = { settled: 0, locked: 0, expected: 0, closeNow: 0, commission: 0 };

/** No profit, in any words. */
export const aProfit = (changes: Partial<ProfitReport> = {}): ProfitReport => ({
  run: NO_PROFIT,
  today: null,
  byStrategy: [],
  byEvent: [],
  sources: { spread: 0, move: 0, settlement: 0, unattributed: 0 },
  markouts: [1, 10, 60].map((horizonS) => ({ horizonS, fills: 0, ratio: 0 })),
  ...changes,
});

/** Selections that are all quoted, except for the changes. */
export const aReadiness = (changes: Partial<Readiness> = {}): Readiness => ({
  wanted: 0,
  quoted: 0,
  waiting: [],
  isShort: false,
  ...changes,
});

/** The status of a simulated run that quotes nothing, except for the changes. */
export const aStatus = (changes: Partial<Status> = {}): Status => ({
  version: '0.1.0',
  runId: '1-0a1b2c3d',
  state: 'quoting',
  mode: 'simulated',
  strategy: 'symmetric',
  runningS: 1,
  stream: 'synced',
  heartbeatRemainingS: 27,
  stopping: null,
  blocked: null,
  strategies: [],
  strategiesOff: [],
  budgets: { ordersNow: 5, betslipsNow: 9, betslipsToday: 1991 },
  ordersOpen: 0,
  ordersPlaced: 0,
  ordersRefused: 0,
  fills: 0,
  stakeMatched: 0,
  profitLoss: 0,
  profit: aProfit(),
  account: { balance: null, openStake: null, ageS: null },
  turnover: 0,
  limits: [],
  quoting: { wanted: 0, quoted: 0, twoSided: 0, notQuotingS: null, readiness: aReadiness() },
  betslipCap: { open: 9, isLearned: false, carries: 4 },
  oldestUnknownOrderS: null,
  recentOrders: [],
  recentFills: [],
  previousRun: { epoch: 0, endedAtMs: null, how: 'none', ordersLeft: 0 },
  twoSidedQuoteRatio: 0,
  throttledResponses: 0,
  reconciliation: null,
  events: [],
  ...changes,
});
