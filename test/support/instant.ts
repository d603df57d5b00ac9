import type { ExchangeSettings } from '../../src/simulator/core/settings.ts';

/**
 * An exchange that places, matches and confirms an order within one instant. Tests of something else then control
 * exactly what comes when. `placement.test.ts` of the core and the conformance tests of an order's life test the
 * defaults.
 */
export const INSTANT = {
  placementDelayMs: [0, 0],
  inPlayDelayMs: [0, 0],
  confirmationMs: [0, 0],
} satisfies Partial<ExchangeSettings>;
