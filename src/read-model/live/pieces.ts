/** The names of pieces. */
export const PIECES = {
  run: 'run',
  money: 'money',
  quoting: 'quoting',
  strategies: 'strategies',
  fills: 'fills',
  orders: 'orders',
  event: (key: string) => `event ${key}`,
  selections: (key: string) => `selections ${key}`,
  payoffs: (key: string) => `payoffs ${key}`,
} as const;
