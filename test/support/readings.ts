import type { Readings } from '../../src/read-model/status.ts';

/** The state of a daemon that runs for ten seconds, except for the changes. */
export const readings = (over: Partial<Readings> = {}): Readings => ({
  ...{ monotonicMs: 10_000, wallMs: 1_010_000 },
  run: {
    ...{ mode: 'simulated', strategy: 'mine', runningS: 10, hasStarted: true, stopping: null },
    ...{ version: '0.1.0', runId: '1-0a1b2c3d', previousRun: null, today: null },
  },
  ...{
    heartbeatRemainingMs: 2_500,
    blocked: null,
    strategiesOff: [],
    profitByStrategy: new Map([['mine', 1_500_000]]),
    ordersPlaced: 3,
    throttledResponses: 0,
  },
  budgets: { ordersNow: 5, betslipsNow: 4, betslipsToday: 100 },
  profitLossMicros: 1_500_000,
  ...{ money: [], markouts: [], fairOf: () => null, balance: null, turnoverMicros: 0, limits: [] },
  sources: { spreadMicros: 0, moveMicros: 0, luckMicros: 0, unattributedMicros: 0 },
  ownerOf: () => 'mine',
  ...{ positions: new Map(), missing: new Map(), reasonOf: () => ({ for: null, against: null }) },
  betslipCap: { open: 9, isLearned: false },
  event: () => ({ title: 'A v B', startTimeMs: 1_070_000, inRunning: false, score: null }),
  outcomeOf: (id) => id.split('|')[2]!,
  depthOf: () => ({ for: [2, -1, 80e6, 1.9, -1, 20e6], against: [] }),
  ...over,
});
