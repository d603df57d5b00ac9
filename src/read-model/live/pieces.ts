/** The names of pieces. */
export const PIECES = {
  run: 'run',
  money: 'money',
  quoting: 'quoting',
  strategies: 'strategies',
  alerts: 'alerts',
  fill: (betId: number) => `fill ${betId}`,
  refused: (requestUuid: string) => `refused ${requestUuid}`,
  event: (key: string) => `event ${key}`,
  selections: (key: string) => `selections ${key}`,
  payoffs: (key: string) => `payoffs ${key}`,
} as const;
