import type { Config } from './convict.ts';

export interface Contradiction {
  readonly key: string;
  readonly reason: string;
}

/** Settings that are each in range and contradict each other. */
export function contradictionsOf({ orders, exchange, universe }: Config): readonly Contradiction[] {
  const { betslips, heartbeat } = orders;
  const rules: readonly (readonly [holds: boolean, key: string, reason: string])[] = [
    [
      orders.renewLeadS < orders.durationS,
      'orders.renewLeadS',
      `must be below orders.durationS (${orders.durationS}): every order would be renewed at once`,
    ],
    [
      orders.latestLandingS >= exchange.requestTimeoutS,
      'orders.latestLandingS',
      `must be at least exchange.requestTimeoutS (${exchange.requestTimeoutS}): a request that we still wait for can land`,
    ],
    [
      heartbeat.sendReserveS >= Math.min(exchange.requestTimeoutS, orders.heartbeatTimeoutS / 2),
      'orders.heartbeat.sendReserveS',
      `must be at least exchange.requestTimeoutS (${exchange.requestTimeoutS}) or half of orders.heartbeatTimeoutS (${orders.heartbeatTimeoutS})`,
    ],
    [
      betslips.refreshLeadS < betslips.lifeS,
      'orders.betslips.refreshLeadS',
      `must be below orders.betslips.lifeS (${betslips.lifeS}): it would be refreshed all the time`,
    ],
    [
      betslips.dailyReserve < betslips.perDay,
      'orders.betslips.dailyReserve',
      `must be below orders.betslips.perDay (${betslips.perDay}): none would be left for quotes`,
    ],
    [
      betslips.longestDurationS >= orders.durationS,
      'orders.betslips.longestDurationS',
      `must be at least orders.durationS (${orders.durationS})`,
    ],
    [
      universe.stopBeforeStartS <= universe.startWithinMinutes * 60,
      'universe.stopBeforeStartS',
      `must be within universe.startWithinMinutes (${universe.startWithinMinutes}): nothing would be quoted`,
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, key, reason]) => ({ key, reason }));
}
